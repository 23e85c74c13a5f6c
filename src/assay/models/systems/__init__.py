"""The systems of the papers: one class per file. All of them need PyTorch, which nothing outside imports."""
