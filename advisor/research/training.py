"""From nothing to a model: self-play, learning, and proof that each model beats the one before.

Owns the course of a training. The first lessons are games of the game's own quick policy; from then
on the net plays against itself, a little at random, and learns from what it thought later in each
game and from how it ended. Once that brings little, rounds also have games in which the best turns
are compared by rollouts (`_comparisons.pyx`): they cost more and teach more. A net that learns from
one sample after the other is never at rest; what plays and is kept is the mean of what it has been
after the latest rounds. While it learns from one round, the next one is played by what was known
before. Every so often the mean meets the last accepted model in a paired match; only one that is
clearly better is accepted. Everything is written down after every round, so that a training can be
broken off and continued; a folder belongs to one training at a time.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from advisor import __version__
from advisor._fastsim import substream
from advisor.core import registry
from advisor.core.files import write_whole
from advisor.core.simulation import MAX_THREADS
from advisor.errors import AdvisorError, SettingError
from advisor.learning import model as models
from advisor.learning._comparisons import compared_play
from advisor.learning._deliberation import Deliberation
from advisor.learning._lessons import Lessons, self_play
from advisor.learning._net import Net
from advisor.learning._planner import Planner
from advisor.learning._trainer import Trainer
from advisor.learning._value import Value
from advisor.research.course import Course, Standing
from advisor.search.settings import cores

FIRST_RATES = (1e-3, 5e-4, 2e-4, 1e-4)
"""Steps of the passes through the first lessons, played by the quick policy."""

RATES = (2e-4, 5e-5)
"""Steps at the beginning and at the end of self-play."""

AVERAGE = 0.8
"""What is left in the mean of the nets before, after each round."""

WINDOW = 4
"""Rounds whose lessons are learnt from together."""

OWN_SCORE = 4
"""Every so many-th game everybody plays for his own points instead of his margin."""

TRACE = 0.85
TEMPERATURE = 0.7
NARROW = (8, 300)
"""Width and limit of the plans in self-play."""

ROLLOUTS = (6, 100)
"""The same in the rollouts that compare turns."""
COMPARED_PLANS = 8
COMPARISONS = 4
"""Worlds in which the plans of a turn are compared."""

PIECE = 25
COMPARED_PIECE = 4
"""Games that are played in one go: few enough to keep all threads busy, and to stop soon."""

HELD_BACK = 0.05
"""Share of the first lessons that only measures the error."""

PROOF_DEALS = 200
SURE = 2.0
"""Standard errors by which a model must be ahead of the last accepted one."""

MOST_EVENTS = 64
"""Chance events to come that the spread of margins is told for."""

COMPARED = 2**32
"""Added to a round's number: the deals of its games in which turns are compared."""

LOCK = ".lock"
STATE = "state.json"
NET = "net.npz"
LEARNER = "learner.npz"
MODEL = "model.npz"


class TrainingError(AdvisorError):
    """A training cannot be begun or continued."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where a game of self-play begins."""

    state: bytes
    seed: int
    own_score: bool
    """Everybody plays for his own points."""


@dataclass(frozen=True, slots=True)
class Played:
    """Games and what they teach."""

    lessons: Lessons
    scores: NDArray[np.float64]
    """Of the games played for the margin."""
    errors: NDArray[np.float64]
    """Of differences between seats: squares and cases, by the chance events to come."""


class Training:
    """One training in a folder.

    Args:
        course: what to do.
        folder: where everything is kept; a training of the same course is continued.
        threads: default one a core.
        tell: called with one line after every round and match.

    Raises:
        SettingError: settings the game does not have, or too many threads.
        TrainingError: the folder is of another course, damaged, or cannot be used.

    """

    def __init__(
        self,
        course: Course,
        folder: str | Path,
        *,
        threads: int | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        if threads is not None and not 1 <= threads <= MAX_THREADS:
            raise SettingError(
                f"{threads} threads; ask for 1 to {MAX_THREADS}, best {cores()} here"
            )
        if "," in str(folder):  # the models in it are named in the options of agents
            raise SettingError(f"{folder}: choose a folder without a comma in its path")
        self.course = course
        self.folder = Path(folder)
        self.threads = threads or cores()
        self.tell = tell or (lambda _: None)
        self.stopped = threading.Event()
        self.series = registry.find_series(course.game)
        self.variants = [
            self.series.check_settings(players=course.players, **course.settings, **edition)
            for edition in ([{"edition": year} for year in course.editions] or [{}])
        ]
        self._resume()

    def _resume(self) -> None:
        """Go to where the training in the folder stands, or to the beginning."""
        self.window: list[Lessons] = []
        self.ahead: Future[Played] | None = None
        """The games of the next round, being played."""
        self.errors: list[NDArray[np.float64]] = []
        """Of differences between seats, by the chance events to come, in the latest rounds."""
        self.standing = self._resumed() or Standing(asdict(self.course))
        rules = self._deals(0, 1)[0][0]
        self.net = Net(rules.traits + 1, rules.chapters, seed=self.course.seed)
        """The mean of what the learner has been."""
        begun = self.standing.round > 0
        if begun or self.course.begin_with:
            saved = self._load(self.folder / NET if begun else Path(self.course.begin_with or ""))
            self.net = saved.net
            if begun:
                self.errors = [np.array(errors) for errors in saved.provenance.get("errors", [])]
        learner = self._load(self.folder / LEARNER).net if begun else self.net
        self.trainer = Trainer(learner.copy())

    def _load(self, path: Path) -> models.Model:
        """Return a model to go on with, made for this version of the game."""
        saved = models.load(path)
        if (saved.net.traits, saved.net.chapters) != (self.net.traits, self.net.chapters):
            within = path.parent == self.folder
            remedy = "choose another folder" if within else "begin with another one or none"
            raise TrainingError(f"{path}: made for another version of the game; {remedy}")
        return saved

    def _resumed(self) -> Standing | None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            raw = (self.folder / STATE).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise TrainingError(
                f"{self.folder}: cannot be used for a training: {error.strerror or error}"
            ) from None
        try:
            standing = Standing(**json.loads(raw))
            standing.check()
        except (ValueError, TypeError, RecursionError) as error:
            raise TrainingError(f"{self.folder / STATE}: damaged: {error}") from None
        own = json.loads(json.dumps(asdict(self.course)))  # as it reads when it has been written
        differing = [key for key in own if key != "rounds" and standing.course.get(key) != own[key]]
        if differing:
            key = differing[0]
            raise TrainingError(
                f"{self.folder} holds another training: {key} is {standing.course.get(key)} there "
                f"and {own[key]} here; choose another folder or the same course"
            )
        standing.course = own  # more rounds extend it
        return standing

    def run(self) -> Path | None:
        """Train to the end of the course; return the model's file, None where none was accepted.

        Raises:
            KeyboardInterrupt: what is finished is kept.
            TrainingError: another training is at work in the folder, or the net has gone astray.
            SettingError: so many threads cannot be started here.

        """
        self.stopped.clear()
        try:
            with _alone_in(self.folder), ThreadPoolExecutor(1) as self.player:
                try:
                    self._train()
                except BaseException:
                    self.stopped.set()  # the round being played is of no use any more
                    raise
        except RuntimeError as error:
            if "new thread" not in str(error):
                raise
            raise SettingError(
                f"{self.threads} threads cannot be started here ({error}); ask for fewer"
            ) from None
        return self.folder / MODEL if self.standing.accepted else None

    def _train(self) -> None:
        self._resume()  # another training may have moved on since
        if self.standing.round == 0:
            self._begin()
        while True:
            if self._proof_is_due():
                self._prove()
            if self.standing.round >= self.course.rounds:
                break
            self._round()

    def _proof_is_due(self) -> bool:
        """Tell whether the net as it stands has a match to play: it may have been broken off."""
        number, proofs = self.standing.round, self.standing.proofs
        if number == 0 or (proofs and proofs[-1]["round"] == number):
            return False
        return number % self.course.proof_every == 0 or number >= self.course.rounds

    # --- Games

    def _deals(self, number: int, count: int) -> list[tuple[Any, list[Start]]]:
        """Return the deals of a round, those under the same rules together."""
        luck = substream(self.course.seed & (2**64 - 1), number) >> 1
        tables: dict[int, tuple[Any, list[Start]]] = {}
        for i in range(count):
            seed = substream(luck, i) >> 1
            deal = self.series.deal(
                players=self.course.players,
                number=i,
                luck=luck,
                seed=seed,
                settings=self.variants[i % len(self.variants)],
            )
            rules = deal.position.rules
            own_score = i // len(self.variants) % OWN_SCORE == OWN_SCORE - 1
            start = Start(deal.start, seed, own_score)
            tables.setdefault(id(rules), (rules, []))[1].append(start)
        return list(tables.values())

    def _play(
        self, number: int, count: int, net: Net, *, policy: int = -1, compared: bool = False
    ) -> Played:
        """Play games of the net, comparing turns or not, or of a policy of the game."""
        size = COMPARED_PIECE if compared else PIECE
        pieces = [
            (rules, alike[begin : begin + size], own_score)
            for rules, games in self._deals(number + COMPARED * compared, count)
            for own_score in (False, True)
            for alike in [[game for game in games if game.own_score is own_score]]
            for begin in range(0, len(alike), size)
        ]

        def work(piece: tuple[Any, list[Start], bool]) -> Played:
            if self.stopped.is_set():
                raise CancelledError
            rules, games, own_score = piece
            value = Value(rules, net, own_score=own_score)
            lessons = Lessons()
            scores = np.zeros((len(games), self.course.players))
            errors = np.zeros((2, MOST_EVENTS))
            record: dict[str, Any] = {
                "starts": np.frombuffer(b"".join(game.state for game in games), np.uint8).reshape(
                    len(games), rules.state_size
                ),
                "worlds": np.array([game.seed for game in games], np.uint64),
                "scores": scores,
                "squares": errors[0],
                "cases": errors[1],
                "temperature": TEMPERATURE,
            }
            if compared:
                deliberation = Deliberation(
                    value,
                    width=NARROW[0],
                    limit=NARROW[1],
                    narrow_width=ROLLOUTS[0],
                    narrow_limit=ROLLOUTS[1],
                    turns=1,
                    replies=1,
                )
                compared_play(
                    deliberation, lessons, plans=COMPARED_PLANS, comparisons=COMPARISONS, **record
                )
            else:
                self_play(
                    Planner(rules, value, NARROW[1]),
                    lessons,
                    trace=1.0 if policy >= 0 else TRACE,
                    width=NARROW[0],
                    limit=NARROW[1],
                    policy=policy,
                    **record,
                )
            if own_score:
                return Played(lessons, scores[:0], np.zeros_like(errors))
            return Played(lessons, scores, errors)

        together = Lessons()
        with ThreadPoolExecutor(self.threads) as pool:
            parts = list(pool.map(work, pieces))
        for part in parts:
            together.extend(part.lessons)
        return Played(
            together,
            np.concatenate([part.scores for part in parts]),
            np.sum([part.errors for part in parts], axis=0),
        )

    # --- Rounds

    def _begin(self) -> None:
        """Learn the first lessons, or note what learns on as the model to be beaten."""
        if self.course.begin_with:
            write_whole(self.folder / "round-0.npz", models.save(self.net, {}))
            self.standing.accepted = 0
            return
        policies = registry.find(self.course.game).POLICIES
        played = self._play(0, self.course.first_games, self.net, policy=len(policies) - 1)
        lessons, scores = played.lessons, played.scores
        self.tell(
            f"{self.course.first_games:,} games of the policy {policies[-1]}: "
            f"{scores.mean():.1f} points a player, {lessons.count:,} samples"
        )
        for number, rate in enumerate(FIRST_RATES):
            learnt = self.trainer.learn(lessons, rate=rate, seed=number, last=1 - HELD_BACK)
            held = self.trainer.error(lessons, first=1 - HELD_BACK)
            self.tell(
                f"pass {number + 1}: error {math.sqrt(learnt):.2f} points, on games held back "
                f"{math.sqrt(held):.2f}"
            )
        self.net = self.trainer.net.copy()

    def _round(self) -> None:
        began = time.monotonic()
        number = self.standing.round + 1
        played = self.ahead.result() if self.ahead else self._play_round(number, self.net)
        self.ahead = None
        if number < self.course.rounds:
            self.ahead = self.player.submit(self._play_round, number + 1, self.net)
        lessons, scores = played.lessons, played.scores
        self.errors = [*self.errors, played.errors][-WINDOW:]
        unseen = Trainer(self.net).error(lessons)  # of the mean, which plays and is kept
        self.window = [*self.window, lessons][-WINDOW:]
        together = Lessons()
        for part in self.window:
            together.extend(part)
        share = number / self.course.rounds
        rate = RATES[0] * (RATES[1] / RATES[0]) ** share
        learnt = self.trainer.learn(together, rate=rate, seed=number)
        if not math.isfinite(learnt) or not np.isfinite(self.trainer.net.numbers).all():
            raise TrainingError(
                f"the net has gone astray in round {number}; what was finished before is kept, "
                "train with another seed or more games a round"
            )
        self._average(min(AVERAGE, 1 - 1 / number))
        entry = {
            "round": number,
            "score": round(float(scores.mean()), 2),
            "best": round(float(scores.max(axis=1).mean()), 2),
            "unseen": round(math.sqrt(unseen), 3),
            "learnt": round(math.sqrt(learnt), 3),
        }
        self.standing.log.append(entry)
        self.standing.round = number
        self.standing.games += self.course.games + self._compared(number)
        self.standing.seconds += time.monotonic() - began
        self._save()
        self.tell(
            f"round {number} of {self.course.rounds}: {entry['score']} points a player, winner "
            f"{entry['best']}, error before learning {entry['unseen']}, after {entry['learnt']}"
        )

    def _average(self, kept: float) -> None:
        """Move the mean to what the learner is now, but for the share that is kept."""
        numbers = np.float32(kept) * self.net.numbers
        numbers += np.float32(1 - kept) * self.trainer.net.numbers
        self.net = Net(self.net.traits, self.net.chapters, numbers=numbers)

    def _play_round(self, number: int, net: Net) -> Played:
        """Play a round; its scores are of the games in which no turns are compared."""
        played = self._play(number, self.course.games, net)
        if compared := self._compared(number):
            played.lessons.extend(self._play(number, compared, net, compared=True).lessons)
        return played

    def _compared(self, number: int) -> int:
        """Return how many games of a round compare turns."""
        return self.course.compared_games if number > self.course.compare_after else 0

    def _save(self) -> None:
        errors = [each.tolist() for each in self.errors]
        write_whole(self.folder / LEARNER, models.save(self.trainer.net, {}))
        write_whole(self.folder / NET, models.save(self.net, {"errors": errors}))
        text = json.dumps(asdict(self.standing), indent=1)
        write_whole(self.folder / STATE, text.encode())

    # --- Proof

    def _prove(self) -> None:
        """Play against the last accepted model; accept the net where it is clearly better."""
        import polars as pl

        from advisor.research.match import match
        from advisor.research.statistics import mean

        number = self.standing.round
        challenger = self.folder / f"round-{number}.npz"
        write_whole(challenger, models.save(self.net, {}))
        proof: dict[str, Any] = {"round": number, "against": self.standing.accepted}
        other = "greedy"
        if self.standing.accepted is not None:
            other = f"plans:model={self.folder}/round-{self.standing.accepted}.npz"
        agent = f"plans:model={challenger}"
        games = PROOF_DEALS * self.course.players
        frames = [
            match(
                [agent, other],
                games=-(-games // len(self.variants)),
                players=self.course.players,
                game=self.course.game,
                seed=number + 10**6 * self.course.seed,
                jobs=self.threads,
                **settings,
            ).with_columns(deal=pl.col("deal") * len(self.variants) + variant)
            for variant, settings in enumerate(self.variants)
        ]
        frame = pl.concat(frames, how="diagonal_relaxed")
        by_deal = frame.group_by("deal", "agent").agg(pl.col("score").mean()).sort("deal")
        mine, theirs = by_deal.filter(agent=agent), by_deal.filter(agent=other)
        apart = mine["score"].to_numpy() - theirs["score"].to_numpy()
        found = mean(apart, mine["deal"].to_numpy())
        accepted = bool(found.value > SURE * found.se)
        proof |= {
            "games": sum(int(part["game"].n_unique()) for part in frames),
            "difference": round(found.value, 2),
            "se": round(found.se, 2),
            "wins": round(float(frame.filter(agent=agent)["won"].to_numpy().mean()), 4),
            "accepted": accepted,
        }
        self.standing.proofs.append(proof)
        if accepted:
            self.standing.accepted = number
            write_whole(self.folder / MODEL, models.save(self.net, self.provenance()))
        else:
            challenger.unlink(missing_ok=True)
        self._save()
        opponent = other if proof["against"] is None else f"round {proof['against']}"
        verdict = "accepted" if accepted else "not accepted"
        self.tell(
            f"round {number} against {opponent}: {found.value:+.1f} ± {1.96 * found.se:.1f} points "
            f"in {proof['games']} games, {verdict}"
        )

    def provenance(self) -> dict[str, Any]:
        """Return where the model comes from."""
        return {
            "game": self.course.game,
            "players": self.course.players,
            "version": __version__,
            "commit": _commit(),
            "course": asdict(self.course),
            "settings": self.variants,
            "round": self.standing.round,
            "games": self.standing.games,
            "hours": round(self.standing.seconds / 3600, 2),
            "validation": self.standing.log[-1] if self.standing.log else None,
            "proofs": self.standing.proofs,
            "spread": self._spread(),
            "date": datetime.now(UTC).date().isoformat(),
        }

    def _spread(self) -> list[float]:
        """Return how differences between seats scatter around those seen, by events to come."""
        if not self.errors:
            return []
        squares, cases = np.sum(self.errors, axis=0)
        known = cases > 0
        last = int(np.max(np.flatnonzero(known), initial=0)) + 1
        spread = np.sqrt(squares[:last] / np.maximum(cases[:last], 1))
        spread[~known[:last]] = np.nan
        filled = [float(s) for s in spread]
        for i in range(last):  # events after which no turn ends: as the next one that is known
            if math.isnan(filled[i]):
                filled[i] = next((s for s in filled[i:] if not math.isnan(s)), 30.0)
        return [round(max(s, 0.5), 2) for s in filled]


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other trainings out of a folder.

    Raises:
        TrainingError: one is at work there, or nothing can be written.

    """
    try:
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise TrainingError(
            f"{folder} cannot be written: {error.strerror or error}; choose another folder"
        ) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise TrainingError(
                f"another training is at work in {folder}; wait until it ends, or choose another "
                "folder"
            ) from None
        yield
    finally:
        os.close(handle)


def _commit() -> str | None:
    """Return the commit of the checkout this runs from, if it is one; `-dirty` if changed."""
    package = Path(__file__).parent.parent
    try:
        top = _git(package, "rev-parse", "--show-toplevel")
        if Path(top).resolve() != package.parent.resolve():  # installed within another project
            return None
        return _git(package, "describe", "--always", "--dirty", "--abbrev=7", "--exclude", "*")
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()
