#!/usr/bin/env python3
"""Disks without room, folders without rights, damaged recordings: a message that names the file and what to do, exit status
2, nothing that was there before lost, nothing half-written left.

STICTION_FULL_DISK: the library of full_disk.c, which stands for a disk without room, so that no test needs the right to mount one.
"""
import hashlib
import os
import pathlib
import random
import resource
import struct
import subprocess
import unittest

from program import FULL, PROGRAM, SOURCE, ProgramTest

FULL_DISK = os.path.abspath(os.environ.get("STICTION_FULL_DISK", SOURCE / "build/release/tests/cli/libfull_disk.so"))
RUN = ("run", "drop.json", "--out", "out")


class DiskTest(ProgramTest):
    def with_room(self, room, *words):
        """On a disk with so many bytes left."""
        environment = {**os.environ, "LD_PRELOAD": FULL_DISK, "STICTION_TEST_ROOM": str(room)}
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=240, env=environment)

    def with_limit(self, limit, *words):
        """No file may become larger (ulimit -f)."""
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=240,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))

    def files(self, folder="."):
        return {str(f.relative_to(self.folder)): hashlib.sha256(f.read_bytes()).hexdigest()
                for f in sorted((self.folder / folder).rglob("*")) if f.is_file()}

    def assert_refused(self, done, *pieces):
        """Exit status 2, one message of one line that holds the pieces; nothing on stdout; no half file."""
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for piece in pieces:
            self.assertIn(piece, done.stderr)
        self.assertEqual([f for f in self.files() if f.endswith(".part")], [])


class NoRoom(DiskTest):
    def test_the_stand_in_works(self):
        self.assertTrue(os.path.exists(FULL_DISK), FULL_DISK)
        done = self.with_room(10**9, *RUN)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.with_room(0, *RUN).returncode, 2)

    def test_a_run_at_every_amount_of_room(self):
        """From none to enough: journal, HDF5 file, tables and report end too early in turn; every time the run goes on."""
        reference = self.document("run", "drop.json", "--out", "reference", "--csv")
        size = sum(f.stat().st_size for f in (self.folder / "reference").iterdir())
        said = set()
        for k in range(120 if FULL else 40):
            room = int(1.5 * size * (k / (119 if FULL else 39)) ** 3)  # small files come first
            done = self.with_room(room, *RUN, "--csv", "--quiet")
            self.assertIn(done.returncode, (0, 2), done.stderr)
            if done.returncode == 2:
                self.assert_refused(done, "out/", "No space left on device", "free some space")
                said.add(done.stderr.split(": ")[0])
                if (self.folder / "out/recording.journal").exists():
                    self.assertIn("--resume", done.stderr)
                    self.call("convert", "out/recording.journal", "read.csv")
                    whole = (self.folder / "reference/recording.bodies.csv").read_text()
                    self.assertTrue(whole.startswith((self.folder / "read.bodies.csv").read_text()))
            resumed = self.document(*RUN, "--resume", "--csv")
            self.assertEqual(resumed["hash"], reference["hash"])
            self.assertEqual(resumed["ledger"], reference["ledger"])
            for f in (self.folder / "out").iterdir():
                f.unlink()
        kinds = {name.split(".")[-1] for name in said}
        self.assertEqual(kinds, {"journal", "h5", "csv", "html"})

    def test_an_earlier_recording_survives(self):
        self.call(*RUN, "--csv")
        self.call("run", "drop.json", "--out", "out", "--until", "0.5", "--csv")
        before = self.files("out")
        for room in (0, 100, 3000):  # not even room for the first State
            self.assert_refused(self.with_room(room, *RUN, "--quiet"), "out/recording.journal", "No space left")
            self.assertEqual(self.files("out"), before)

    def test_a_limit_on_file_sizes(self):
        for limit in (1000, 20_000, 60_000):
            done = self.with_limit(limit, *RUN, "--quiet")
            self.assert_refused(done, "out/recording", "File too large", "ulimit -f")
            self.assertEqual(self.document(*RUN, "--resume")["steps"], 100)
            for f in (self.folder / "out").iterdir():
                f.unlink()

    def test_convert_and_report(self):
        self.call(*RUN)
        before = self.files()
        for words, names in ((("convert", "out/recording.h5", "x.h5"), "x.h5"), (("convert", "out/recording.h5", "x.csv"), "x."),
                             (("report", "out/recording.h5", "--out", "x.html"), "x.html"), (("new", "pendulum", "x.json"), "x.json")):
            for room in (0, 500, 4000):
                if words[0] == "new" and room == 4000:
                    continue
                self.assert_refused(self.with_room(room, *words), names, "No space left on device", "free some space")
                self.assertEqual(self.files(), before)

    PRINTED = (("list", "scenes"), ("list", "--json"), ("schema",), ("version",), ("--version",), ("--help",), ("run", "--help"),
               ("check", "drop.json", "--json"), ("new", "pendulum", "--json"), ("solve", str(SOURCE / "problems"), "--json"),
               ("impact", "--velocity=-1,0.2", "--matrix", "2,1,1"), ("reproduce", "servin/ball", "--json"), ("run", "drop.json", "--out", "out"),
               ("report", "out/recording.h5", "--json"), ("plot", "out/recording.h5"), ("convert", "out/recording.h5", "x.csv", "--json"))

    def assert_output_lost(self, words, reason, **how):
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, stderr=subprocess.PIPE, text=True, timeout=240, **how)
        self.assertEqual(done.returncode, 2, (words, done.stderr))
        said = [line for line in done.stderr.splitlines() if not line.startswith("warning: ")]
        self.assertEqual(len(said), 1, (words, done.stderr))
        self.assertIn(f"stiction: cannot write the results to stdout: {reason}. Send them to another place.", said[0])

    def test_results_that_cannot_be_printed(self):
        """Every word that prints: on a full disk, in a pipe that nobody reads, where stdout is closed."""
        self.call(*RUN)
        for words in self.PRINTED:
            with open("/dev/full", "w") as full:
                self.assert_output_lost(words, "No space left on device", stdout=full)
            (self.folder / "pendulum.json").unlink(missing_ok=True)
            reader, writer = os.pipe()
            os.close(reader)
            self.assert_output_lost(words, "Broken pipe", stdout=writer)
            os.close(writer)
            (self.folder / "pendulum.json").unlink(missing_ok=True)
            self.assert_output_lost(words, "Bad file descriptor", preexec_fn=lambda: os.close(1))
            (self.folder / "pendulum.json").unlink(missing_ok=True)

    def test_nothing_is_printed_into_a_file(self):
        """Where stdout and stderr are closed, files get their numbers if nobody looks: the recording stays whole."""
        def close():
            os.close(1)
            os.close(2)
        self.call(*RUN)
        whole = self.document("report", "out/recording.h5")
        done = subprocess.run([PROGRAM, *RUN], cwd=self.folder, timeout=240, preexec_fn=close)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.document("report", "out/recording.h5"), whole)

    def test_a_full_stderr_ends_nothing(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "check", "missing.json"], cwd=self.folder, stdout=subprocess.PIPE, stderr=full, timeout=240)
        self.assertEqual(done.returncode, 2)


class NoRights(DiskTest):
    """Rights bind everybody but the superuser, who becomes somebody else for these."""

    def nobody(self, *words):
        def drop():
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
        for folder in [self.folder, *self.folder.parents]:
            if folder == pathlib.Path(self.scratch.name):
                folder.chmod(0o755)
        return subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=240, preexec_fn=drop)

    def setUp(self):
        super().setUp()
        done = self.nobody("version")
        self.assertEqual(done.returncode, 0, "the program cannot be started by others: " + done.stderr)

    def test_a_folder_that_is_read_only(self):
        self.call(*RUN)
        (self.folder / "out").chmod(0o555)
        before = self.files()
        self.assert_refused(self.nobody(*RUN, "--quiet"), "out/recording.journal", "ermission denied", "choose another place")
        self.assert_refused(self.nobody("run", "drop.json", "--out", "out/deeper"), "out/deeper", "choose another place")
        self.assert_refused(self.nobody("run", "drop.json"), "out/drop", "choose another place")
        self.assert_refused(self.nobody("convert", "out/recording.h5", "out/x.h5"), "out/x.h5", "choose another place")
        self.assert_refused(self.nobody("convert", "out/recording.h5", "out/x.csv"), "out/x.bodies.csv", "choose another place")
        self.assert_refused(self.nobody("report", "out/recording.h5", "--out", "out/x.html"), "out/x.html", "choose another place")
        self.assertEqual(self.files(), before)

    def test_files_that_may_not_be_read(self):
        self.call(*RUN)
        (self.folder / "out/recording.h5").chmod(0)
        (self.folder / "drop.json").chmod(0)
        self.assert_refused(self.nobody("report", "out/recording.h5", "--out", "x.html"), "out/recording.h5", "ermission denied")
        self.assert_refused(self.nobody("run", "drop.json"), "drop.json", "ermission denied")

    def test_a_journal_that_may_not_be_written(self):
        process = self.start("run", "long.json", "--out", "out")
        self.journal_of = lambda name: self.folder / "out/recording.journal"
        self.wait_for_journal("long", 100_000, process)
        process.kill()
        process.communicate()
        (self.folder / "out").chmod(0o777)
        (self.folder / "out/recording.journal").chmod(0o444)
        before = self.files()
        self.assert_refused(self.nobody("run", "long.json", "--out", "out", "--resume", "--quiet"), "out/recording.journal", "ermission denied")
        self.assertEqual(self.files(), before)


def blocks_of(journal):
    """(kind, offset, length of the payload) of every block."""
    out, at = [], 0
    while at < len(journal):
        magic, kind, index, length, checksum = struct.unpack_from("<4sIQQQ", journal, at)
        assert magic == b"STJB" and index == len(out)
        out.append((kind, at, length))
        at += 40 + length
    return out


class Damaged(DiskTest):
    """Recordings cut short or with bits turned over, read by every command."""

    def setUp(self):
        super().setUp()
        self.whole = self.document(*RUN, "--csv")
        self.tables = {t: (self.folder / f"out/recording.{t}.csv").read_text() for t in ("bodies", "books", "contacts")}
        self.hdf5 = (self.folder / "out/recording.h5").read_bytes()
        process = self.start("run", "long.json", "--out", "long", "--until", "60")
        self.journal_of = lambda name: self.folder / "long/recording.journal"
        self.wait_for_journal("long", 300_000, process)
        process.kill()
        process.communicate()
        self.journal = (self.folder / "long/recording.journal").read_bytes()
        self.call("convert", "long/recording.journal", "good.csv")
        self.good = (self.folder / "good.books.csv").read_text()
        self.journal = self.journal[:int(self.ended_at())]  # without a block that the kill broke
        self.blocks = blocks_of(self.journal)

    def ended_at(self):
        at = 0
        while at + 40 <= len(self.journal):
            end = at + 40 + struct.unpack_from("<Q", self.journal, at + 16)[0]
            if end > len(self.journal):
                break
            at = end
        return at

    def places(self):
        """Every kind of place of blocks of every kind, early, in the middle and late."""
        for kind in sorted({k for k, _, _ in self.blocks}):
            of_kind = [b for b in self.blocks if b[0] == kind]
            for _, offset, length in {of_kind[0], of_kind[len(of_kind) // 2], of_kind[-1]}:
                for inside in (0, 4, 8, 16, 24, 32, 32 + length // 2, 31 + length, 32 + length, 39 + length):
                    yield kind, offset, offset + inside

    def read_damaged(self, block):
        """All readers agree on what is left: everything before the damage."""
        states = [b for b in self.blocks if b[0] == 5 and b[1] < block]
        frames = sum(1 for kind, offset, _ in self.blocks if kind == 4 and offset < block)
        done = self.call("convert", "long/recording.journal", "read.csv", status=None)
        if block == 0:
            self.assert_refused(done, "long/recording.journal", "first block is damaged", "must be made again")
        else:
            self.assertIn("long/recording.journal: the journal", done.stderr)
            self.assertIn("--resume", done.stderr)
            self.assertIn(done.returncode, (0, 2))
            self.assertEqual(done.returncode == 2, "in the middle" in done.stderr, done.stderr)
            text = (self.folder / "read.books.csv").read_text()
            self.assertTrue(self.good.startswith(text))
            self.assertEqual(len(text.splitlines()), 1 + frames)
        return states

    def test_journals_cut_short_and_turned_over(self):
        journal = self.folder / "long/recording.journal"
        resumed = 0
        for kind, block, at in self.places():
            with self.subTest(kind=kind, block=block, at=at):
                if at > block or block > 0:
                    journal.write_bytes(self.journal[:at])
                    if at != block:
                        self.read_damaged(block)
                turned = bytearray(self.journal)
                turned[at] ^= 1 << (at % 8)
                journal.write_bytes(turned)
                states = self.read_damaged(block)
                if kind == 5 and at == block:
                    resumed += 1
                    done = self.call("run", "long.json", "--out", "long", "--until", "2", "--resume", status=None)
                    if states:
                        self.assertIn("going on at", done.stderr)
                        last = block == self.blocks[-1][1]  # it depends on the moment of the kill
                        self.assertIn("ends in a broken block" if last else "damaged in the middle", done.stderr)
                    else:
                        self.assert_refused(done, "long/recording.journal", "no full state", "from the start")
        self.assertGreaterEqual(resumed, 2)

    def test_a_damaged_journal_is_gone_on_from_to_the_same_end(self):
        until = ("--until", "6")
        whole = self.document("run", "long.json", "--out", "whole", *until)
        journal = self.folder / "long/recording.journal"
        states = [b for b in self.blocks if b[0] == 5 and struct.unpack_from("<d", self.journal, b[1] + 32)[0] < 6]
        for kind, block, length in (states[1], states[len(states) // 2], states[-1]):
            turned = bytearray(self.journal[:block + length + 40])
            turned[block + 50] ^= 4
            journal.write_bytes(turned)
            self.assertEqual(self.document("run", "long.json", "--out", "long", "--resume", *until)["hash"], whole["hash"])

    def test_hdf5_files_cut_short_and_turned_over(self):
        """Nothing wrong is ever read: an error, or everything as it was."""
        draw = random.Random(7)
        size = len(self.hdf5)
        copy = self.folder / "copy.h5"
        before = self.files()
        places = sorted({0, 8, 100, size - 33, *(draw.randrange(size) for _ in range(400 if FULL else 60))})
        for at in places:
            turned = bytearray(self.hdf5)
            turned[at] ^= 1 << draw.randrange(8)
            for damaged in (bytes(turned), self.hdf5[:at]):
                copy.write_bytes(damaged)
                done = self.call("convert", "copy.h5", "read.csv", status=None)
                if at >= size - 32 and done.returncode == 0:  # in the seal: what it seals is whole
                    self.assertEqual((self.folder / "read.bodies.csv").read_text(), self.tables["bodies"])
                    continue
                self.assert_refused(done, "copy.h5: ", "damaged", "again")
                copy.unlink()
                self.assertEqual(self.files(), before)
        copy.write_bytes(self.hdf5[:size // 2])
        self.assert_refused(self.call("report", "copy.h5", "--out", "x.html", status=None), "copy.h5", "damaged")
        self.assert_refused(self.call("convert", "copy.h5", "x.h5", status=None), "copy.h5", "damaged")
        (self.folder / "out/recording.h5").write_bytes(self.hdf5[:-1000])
        self.assert_refused(self.call(*RUN, "--resume", "--until", "2", status=None), "out/recording.h5", "damaged")

    def test_a_state_that_is_not_what_was_saved(self):
        """Right checksums, wrong numbers: the hash beside the State finds them."""
        kind, block, length = [b for b in self.blocks if b[0] == 5][-1]
        turned = bytearray(self.journal[:block + 40 + length])
        turned[block + 32 + length - 3000] ^= 1
        turned[-8:] = struct.pack("<Q", checksum(bytes(turned[block:-8])))
        (self.folder / "long/recording.journal").write_bytes(turned)
        self.call("convert", "long/recording.journal", "read.csv")  # the block itself is whole
        done = self.call("run", "long.json", "--out", "long", "--until", "60", "--resume", "--quiet", status=None)
        self.assert_refused(done, "long/recording.journal", "the state to go on from is damaged", "without --resume")


def checksum(data):
    """As base/hash.h has it."""
    mask = 2**64 - 1

    def mixed(h, word):
        h = ((h ^ word) * 0x100000001b3) & mask
        return h ^ (h >> 29)

    h = 0xcbf29ce484222325
    for k in range(0, len(data) - len(data) % 8, 8):
        h = mixed(h, int.from_bytes(data[k:k + 8], "little"))
    if len(data) % 8:
        rest = data[len(data) - len(data) % 8:]
        h = mixed(h, int.from_bytes(rest, "little") ^ (len(rest) << 56))
    h = mixed(h, len(data))
    h ^= h >> 32
    h = (h * 0xd6e8feb86659fd93) & mask
    return h ^ (h >> 32)


if __name__ == "__main__":
    unittest.main(verbosity=2)
