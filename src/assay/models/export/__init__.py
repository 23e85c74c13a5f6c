"""From models that need PyTorch to folders that `onnx:` runs without it."""
