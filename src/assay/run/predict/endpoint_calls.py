"""Models behind a network: each distinct pair is one call, several at a time, and every answer is kept as it comes."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from assay.core.case import Answer
from assay.core.protocols import Cost, Endpoint, Texts
from assay.core.registry import option
from assay.run.predict import answer_gathering
from assay.run.predict.answer_gathering import CaseTexts, call_model, check_answers, encode_answer
from assay.run.predict.predict_options import PredictOptions
from assay.run.workers.pool import Progress, in_batches
from assay.storage.answer_cache import ALL, AnswerCache, BatchShare


class OwnedCall:
    """The cases that a shard has to run; they can be iterated over more than once."""

    def __init__(self, cases: Iterable[CaseTexts], owns: Callable[[int], bool]) -> None:
        self.cases = cases
        self.owns = owns

    def __iter__(self) -> Iterator[CaseTexts]:
        return (
            each for each in self.cases if self.owns(int.from_bytes(answer_gathering.pair_key(each.texts), "little"))
        )


class EndpointStrategy(answer_gathering.PairAnswers):
    """Gathers answers one call at a time."""

    def __init__(
        self,
        name: str,
        model: Endpoint,
        store: AnswerCache,
        how: PredictOptions,
    ) -> None:
        self.name = name
        self.model = model
        self.store = store
        self.how = how

    def gather(self, cases: Iterable[CaseTexts], progress: Progress, share: BatchShare = ALL) -> None:
        """Report the cost, then send what is not cached yet.

        The first call is made alone, so that an endpoint that can't be reached costs one failure. After an error
        no new call starts, but answers to open calls are kept.
        """
        if not share.is_whole:
            cases = OwnedCall(cases, share.owns)
        cost = self.cost(cases)
        if cost.calls:
            self.how.tell(cost.text)
            self.how.budget.check(self.name, self.model, cost)
        under_way: dict[Future[Answer], bytes] = {}
        at_once = 1
        with ThreadPoolExecutor(self.model.concurrency) as pool:
            try:
                for key, asked in self._left(cases, progress):
                    while len(under_way) >= at_once:
                        self._keep(under_way, progress)
                        at_once = self.model.concurrency
                    under_way[pool.submit(self._call, asked.texts)] = key
                while under_way:
                    self._keep(under_way, progress)
            except BaseException:
                for call in under_way:
                    call.cancel()
                wait(under_way)
                self._put({call: key for call, key in under_way.items() if not call.cancelled()})
                raise
        if not share.is_whole:
            for chunk in in_batches(cases, 256):
                share.done([answer_gathering.pair_key(asked.texts) for asked in chunk])

    def cost(self, cases: Iterable[CaseTexts]) -> Cost:
        """The cost of the answers that are not cached yet."""
        cost = self.model.estimate(asked.texts for _, asked in self._left(cases, lambda _: None))
        self.store.forget_met()
        if not cost.calls:
            way = option("cache", False)
            return cost._replace(text=f"{self.name}: 0 calls, because all answers are stored; {way} repeats the calls.")
        return cost

    def too_long(self, cases: Iterable[CaseTexts]) -> Iterator[CaseTexts]:  # noqa: ARG002 - only the server knows
        """None that is known on this side."""
        return iter(())

    def _left(self, cases: Iterable[CaseTexts], progress: Progress) -> Iterator[tuple[bytes, CaseTexts]]:
        """The pairs without a cached answer, each once."""
        for chunk in in_batches(cases, 256):
            keys = [answer_gathering.pair_key(asked.texts) for asked in chunk]
            known = self.store.known(keys)
            for key, asked, first in zip(keys, chunk, self.store.first_time(keys), strict=True):
                if first and key not in known:
                    yield key, asked
                else:
                    progress(1)

    def _call(self, pair: Texts) -> Answer:
        answer = call_model(self.name, lambda: self.model.answer_one(pair))
        return check_answers(self.name, [answer], 1, scores=self.how.scores)[0]

    def _keep(self, under_way: dict[Future[Answer], bytes], progress: Progress) -> None:
        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
        finished = {call: under_way.pop(call) for call in done}
        self._put(finished)
        for call in finished:
            call.result()  # an error stops the work here, after the other answers were kept
        self.how.budget.check_spent(self.name, self.model)
        progress(len(finished))

    def _put(self, finished: dict[Future[Answer], bytes]) -> None:
        good = [(key, call.result()) for call, key in finished.items() if call.exception() is None]
        self.store.put((key, encode_answer(answer)) for key, answer in good)
