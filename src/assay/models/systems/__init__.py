"""The systems of the papers: one class a file. All of them need PyTorch, which nothing outside imports."""
