"""The web application: one file per view, behind one gate that knows who may see what."""
