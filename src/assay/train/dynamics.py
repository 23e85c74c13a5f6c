"""What a system says about its training pairs while it learns from them."""

import torch
from torch import Tensor

from assay.train.data_map import DataMap, data_map
from assay.train.objective import Rows, cross_entropy


class Dynamics:
    """For each pair and epoch, the probability of what is right, from the step that learned from the pair.

    It costs no second look at the pairs, and is stored with every snapshot.
    """

    def __init__(self, pairs: int, epochs: int) -> None:
        self.shares = torch.zeros(pairs, epochs)
        self.hits = torch.full((pairs, epochs), -1, dtype=torch.int8)

    def note(self, epoch: int, rows: Rows, scores: Tensor, right: Tensor) -> None:
        """Take down the scores of a batch."""
        found = scores.detach()
        self.shares[rows, epoch] = (-cross_entropy(found, right)).exp()
        self.hits[rows, epoch] = right.gather(1, found.argmax(-1, keepdim=True))[:, 0].to(torch.int8)

    def tensors(self) -> dict[str, Tensor]:
        """Everything, to be stored."""
        return {"shares": self.shares, "hits": self.hits}

    def restore(self, tensors: dict[str, Tensor]) -> None:
        """What was stored; nothing, if training began without a map."""
        if tensors:
            self.shares, self.hits = tensors["shares"], tensors["hits"]

    def map(self) -> DataMap:
        """How each pair was learned."""
        return data_map(self.shares.double().numpy(), self.hits.numpy())
