"""The recipe on a thimbleful: a dozen scenes, a few steps, and everything that must hold about them.

    python -m unittest discover --start-directory models/train/tests
"""

from __future__ import annotations

import json
import sys
import tempfile
import unittest
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import calibrate  # noqa: E402
import cards  # noqa: E402
import detect  # noqa: E402
import evaluate  # noqa: E402
import export  # noqa: E402
import faces  # noqa: E402
import labelled  # noqa: E402
import lens  # noqa: E402
import lessons  # noqa: E402
import nets  # noqa: E402
import outline  # noqa: E402
import phantoms  # noqa: E402
import pictured  # noqa: E402
import scenes  # noqa: E402
import shards  # noqa: E402
import spread  # noqa: E402
import train  # noqa: E402



def few_decks() -> scenes.Props:
    """Two invented decks: no art need be installed."""
    made = [scenes._deck(scenes.invented.deck(seed, []), [scenes.invented.back(np.random.default_rng(seed))]) for seed in (1, 2)]
    return scenes.Props(made)


class Recipe(unittest.TestCase):
    store: scenes.Props

    @classmethod
    def setUpClass(cls) -> None:
        torch.set_num_threads(2)
        cls.store = few_decks()

    def scene(self, seed: int) -> scenes.Scene:
        return scenes.compose(np.random.default_rng(seed), self.store, shards.TILE, 60, 110)

    def test_the_same_seed_makes_the_same_scene(self) -> None:
        one, two = (lens.photograph(np.random.default_rng(5), self.scene(5).picture) for _ in range(2))
        self.assertTrue((one == two).all())
        self.assertFalse((one == lens.photograph(np.random.default_rng(6), self.scene(6).picture)).all())

    def test_a_card_owns_pixels_inside_its_corners_only(self) -> None:
        for seed in range(8):
            scene = self.scene(seed)
            for number, card in enumerate(scene.cards):
                inside = np.zeros(scene.owner.shape, np.uint8)
                cv2.fillConvexPoly(inside, card.quad.round().astype(np.int32), 1)
                inside = cv2.dilate(inside, np.ones((5, 5)))
                self.assertFalse(((scene.owner == number) & (inside == 0)).any())
                self.assertLessEqual(card.visible, 1.05)

    def test_perfect_votes_give_the_cards_back(self) -> None:
        found_all = 0
        for seed in range(8):
            scene = self.scene(seed)
            tile = lessons.tile(scene)
            logits = np.stack([np.where(tile.classes == number, 8.0, -8.0) for number in range(3)])
            found = detect.decode(logits, tile.votes[:2].astype(np.float32), tile.votes[2:].astype(np.float32))
            for card in scene.cards:
                apart = [np.linalg.norm(other.quad.mean(axis=0) - card.quad.mean(axis=0)) for other in scene.cards if other is not card]
                if card.visible < 0.3 or not labelled.inside(card.quad, shards.TILE) or min(apart, default=99) < 16:
                    continue
                exact = cards.corners(*cards.parallelogram(card.quad))
                apart = min(min(np.abs(one.quad - exact).max(), np.abs(np.roll(one.quad, 2, axis=0) - exact).max()) for one in found)
                self.assertLess(apart, 3.0)
                found_all += 1
        self.assertGreater(found_all, 10)

    def test_a_finder_that_makes_no_mistakes_gives_no_phantoms(self) -> None:
        scene = self.scene(2)
        tile = lessons.tile(scene)
        logits = np.stack([np.where(tile.classes == number, 8.0, -8.0) for number in range(3)])
        votes = tile.votes.astype(np.float32)
        right = [logits[None], votes[None, :2], votes[None, 2:]]
        self.assertEqual(phantoms.phantoms(lambda _: right, scene.picture, tile), [])
        bare = lessons.Tile(np.zeros_like(tile.classes), np.zeros_like(tile.votes), tile.index)
        made = phantoms.phantoms(lambda _: right, scene.picture, bare)
        self.assertTrue(made)
        self.assertTrue(all(crop.state == lessons.NONE_STATE for crop in made))

    def test_a_crops_corners_lead_back_to_the_card(self) -> None:
        dice = np.random.default_rng(3)
        quad = np.float32([(100, 80), (170, 95), (150, 200), (75, 185)])
        picture = np.zeros((300, 300, 3), np.uint8)
        cv2.fillConvexPoly(picture, quad.astype(np.int32), (255, 255, 255))
        for _ in range(20):
            crop = lessons.framed(dice, picture, quad, (0, 0, 0))
            where = cards.NOMINAL + crop.corners.reshape(4, 2)
            middle = where.mean(axis=0)
            for corner in where:
                inner, outer = corner + 0.2 * (middle - corner), corner - 0.15 * (middle - corner)
                for point, bright in ((inner, True), (outer, False)):
                    x, y = point.round().astype(int)
                    if 0 <= x < cards.CROP_WIDTH and 0 <= y < cards.CROP_HEIGHT:
                        self.assertEqual(crop.picture[y, x, 0] > 127, bright)

    def test_a_reframed_crop_keeps_its_corners_on_the_card(self) -> None:
        crop = torch.zeros(1, 3, cards.CROP_HEIGHT, cards.CROP_WIDTH)
        dots = cards.NOMINAL + np.float32([(12, 12), (-12, 12), (-12, -12), (12, -12)])
        for generator in (torch.Generator().manual_seed(seed) for seed in range(5)):
            for number, (x, y) in enumerate(dots):
                crop.zero_()
                crop[:, :, int(y) - 1 : int(y) + 1, int(x) - 1 : int(x) + 1] = 255.0
                corners = torch.from_numpy((dots - cards.NOMINAL).reshape(1, 8))
                moved, where = train.reframe(crop, corners, generator)
                light = moved[0, 0]
                rows, columns = torch.meshgrid(torch.arange(128) + 0.5, torch.arange(96) + 0.5, indexing="ij")
                seen = torch.stack([(columns * light).sum(), (rows * light).sum()]) / light.sum()
                told = torch.from_numpy(cards.NOMINAL[number]) + where.view(4, 2)[number]
                self.assertLess(float((seen - told).norm()), 0.6)

    def test_a_turned_lesson_still_points_at_its_card(self) -> None:
        size, cell = 96, cards.STRIDE
        quad = np.float32([(20, 16), (52, 24), (40, 68), (8, 60)])
        owner = np.full((size, size), scenes.TABLE, np.int16)
        cv2.fillConvexPoly(owner, quad.astype(np.int32), 0)
        picture = np.zeros((size, size, 3), np.uint8)
        picture[owner == 0] = 255
        lesson = lessons.tile(scenes.Scene(picture, [scenes.Card(3, quad)], owner, None))
        batch = {"picture": picture, "classes": lesson.classes, "votes": lesson.votes, "index": lesson.index}
        batch = {name: torch.from_numpy(value[None].copy()) for name, value in batch.items()}
        for quarters in range(4):
            turned = train.turn(batch, quarters)
            on_card = turned["classes"][0] == lessons.FACE
            bright = turned["picture"][0, cell // 2 :: cell, cell // 2 :: cell, 0] > 0
            self.assertLess(int((on_card != bright).sum()), 0.2 * int(on_card.sum()), "but for the edge")
            votes = turned["votes"][0].numpy()
            logits = np.stack([np.where(turned["classes"][0] == number, 8.0, -8.0) for number in range(3)])
            found = detect.decode(logits, votes[:2], votes[2:])[0].quad
            want = quad.copy()
            for _ in range(quarters):
                want = np.stack([want[:, 1], size - want[:, 0]], axis=1)
            apart = min(np.abs(np.roll(found, half, axis=0) - want).max() for half in (0, 2))
            self.assertLess(apart, 3.0)

    def test_the_votes_of_a_covered_card_count_for_more(self) -> None:
        votes, on_card = torch.zeros(1, 8, 96, 96), torch.zeros(1, 96, 96, dtype=torch.bool)
        rows, columns = torch.meshgrid(torch.arange(96.0), torch.arange(96.0), indexing="ij")
        for top, left, high, wide, middle in ((10, 10, 30, 20, (80.0, 100.0)), (60, 60, 5, 10, (300.0, 280.0))):
            part = slice(top, top + high), slice(left, left + wide)
            on_card[0][part] = True
            votes[0, 0][part] = middle[0] - (columns * cards.STRIDE)[part]
            votes[0, 1][part] = middle[1] - (rows * cards.STRIDE)[part]
        weight = train.weight_of(votes, on_card)[0]
        self.assertAlmostEqual(float(weight[20, 20]), (train.MANY / 600) ** 0.5, places=3)
        self.assertAlmostEqual(float(weight[62, 65]), (train.MANY / 50) ** 0.5, places=3)
        self.assertEqual(float(weight[50, 5]), 0.0)
        votes[0, 0][60:65, 60:70] += 200.0
        beyond = train.weight_of(votes, on_card)[0]
        self.assertAlmostEqual(float(beyond[62, 65]), train.BEYOND * float(weight[62, 65]), places=3)

    def test_a_miss_is_measured_by_the_size_of_its_card(self) -> None:
        small, large = (np.float32([(-w, -h), (w, -h), (w, h), (-w, h)]) for w, h in ((20, 28), (60, 84)))
        votes = torch.zeros(1, 8, 1, 2)
        for place, quad in enumerate((small, large)):
            _, a, b = cards.parallelogram(quad)
            votes[0, 2:, 0, place] = torch.from_numpy(np.concatenate([lessons.axis_tensor(a), lessons.axis_tensor(b)]))
        unit = train.unit_of(votes)[0, 0, 0]
        self.assertAlmostEqual(float(unit[1] / unit[0]), 3.0, places=3)

    def test_parts_that_have_learned_nothing_yet_are_silent(self) -> None:
        picture = torch.rand(1, 3, 128, 96, generator=torch.Generator().manual_seed(3)) * 255
        with torch.no_grad():
            finder, reader = (nets.build(kind, pretrained=False).eval() for kind in ("finder", "reader"))
            at4, at8 = finder.early(picture)
            for part, features in ((finder.deeper16, torch.rand(1, 112, 8, 6)), (finder.finer8, torch.rand(1, 48, 16, 12)),
                                   (finder.finer4, torch.rand(1, 48, 32, 24)), (reader.deeper, torch.rand(1, 80, 8, 6))):
                self.assertTrue(torch.equal(part(features), features))
            self.assertEqual(float(reader.strokes(reader.features(picture)[0]).abs().max()), 0.0)
            self.assertEqual((at4.shape[-1], at8.shape[-1]), (24, 12))

    def test_cards_that_a_tiles_edge_cuts_are_seldom_read(self) -> None:
        quad = np.float32([(40, 30), (90, 30), (90, 100), (40, 100)])
        picture = np.zeros((128, 128, 3), np.uint8)
        self.assertTrue(lessons.within(quad, picture) and lessons.within(quad + 29, picture))
        self.assertFalse(lessons.within(quad + 60, picture) or lessons.within(quad - 60, picture))

    def test_an_even_step_knows_no_favourite_direction(self) -> None:
        matrix = torch.randn(24, 40, generator=torch.Generator().manual_seed(1)) @ torch.diag(torch.logspace(0, -1, 40))
        before, after = (torch.linalg.svdvals(one) for one in (matrix, spread.evened(matrix)))
        self.assertGreater(float(before.max() / before.min()), 4.0)
        self.assertLess(float(after.max() / after.min()), 2.5)
        weight = torch.nn.Parameter(torch.zeros(24, 40))
        optimiser = spread.Spread([{"params": [weight], "lr": 0.01}])
        for _ in range(200):
            optimiser.zero_grad()
            loss = (weight - matrix / 50).square().sum()
            loss.backward()
            optimiser.step()
        self.assertLess(float(loss.detach()), 0.2 * float((matrix / 50).square().sum()))

    def test_an_outline_is_taken_only_where_it_is_plain(self) -> None:
        quad = np.float32([(60, 50), (150, 62), (135, 190), (45, 178)])
        box = np.concatenate([quad.min(axis=0), quad.max(axis=0)])
        picture = np.full((240, 220, 3), 40, np.uint8)
        cv2.fillConvexPoly(picture, quad.astype(np.int32), (240, 240, 240))
        found = outline.in_box(picture, box)
        self.assertLess(min(np.abs(np.roll(found, turn, axis=0) - quad).max() for turn in (0, 2)), 2.5)
        cv2.circle(picture, (60, 60), 40, (40, 40, 40), -1)
        self.assertIsNone(outline.in_box(picture, box))

    def test_a_found_card_and_the_label_at_its_index_teach_together(self) -> None:
        quad = np.float32([(100, 100), (200, 100), (200, 240), (100, 240)])
        picture = np.full((400, 400, 3), 90, np.uint8)
        found = [detect.Found(quad, 1.0, np.eye(13)[0], np.eye(4)[3], np.eye(3)[0])]
        def box(x: float, y: float) -> dict:
            return {"card": "QH", "bbox": [x - 8, y - 12, x + 8, y + 12]}
        def learned(boxes: list[dict]) -> tuple[list, list]:
            return labelled.photograph(np.random.default_rng(1), picture, boxes, True, 3, lambda _: found)
        tiles, crops = learned([box(112, 121), box(188, 219)])
        self.assertEqual(len(tiles), 3)
        told = {(crop.rank, crop.suit) for crop in crops if crop.state == lessons.UP_STATE}
        self.assertEqual(told, {lessons.rank_and_suit(cards.NUMBER["QH"])}, "the label names the card, not the network")
        # An index that no card was found for: there is a card whose place nobody knows.
        tiles, crops = learned([box(112, 121), box(330, 60)])
        self.assertEqual((len(tiles), len(crops)), (0, 3))
        self.assertEqual(learned([box(330, 60)]), ([], []))

    def test_only_whole_cards_that_labels_bear_out_are_cut_from_a_photograph(self) -> None:
        def found(left: float, rank: int) -> detect.Found:
            quad = np.float32([(left, 100), (left + 100, 100), (left + 100, 240), (left, 240)])
            return detect.Found(quad, 1.0, 20 * np.eye(13)[rank], 20 * np.eye(4)[3], 20 * np.eye(3)[0])
        def box(left: float, name: str) -> dict:
            return {"card": name, "bbox": [left, 100, left + 100, 240]}
        def names(boxes: list[dict], *cards: detect.Found) -> list[str]:
            return [name for name, _ in faces.whole(np.zeros((400, 600, 3), np.uint8), boxes, False, list(cards))]
        boxes = [box(60, "AS"), box(260, "2S")]
        self.assertEqual(names(boxes, found(60, 0), found(260, 1)), ["AS", "2S"])
        self.assertEqual(names(boxes, found(60, 0), found(260, 5)), ["AS"], "read otherwise than the label has it")
        self.assertEqual(names([box(60, "AS"), box(130, "2S")], found(60, 0), found(130, 1)), [], "one lies on the other")

    def test_a_face_is_cut_without_the_table_and_in_the_light_of_day(self) -> None:
        quad = np.float32([(100, 80), (230, 100), (200, 290), (70, 270)])
        picture = np.full((400, 400, 3), (10, 90, 30), np.uint8)
        cv2.fillConvexPoly(picture, quad.astype(np.int32), (170, 170, 170))
        face = faces.cut(picture, quad)
        self.assertEqual(face.shape[:2], faces.SIZE[::-1])
        self.assertGreater(int(face.min()), 225)
        self.assertIsNone(faces.cut(picture, quad + (200, 0)), "part of it is beyond the picture")
        self.assertIsNone(faces.cut(picture, quad / 4), "too small to have any print")

    def test_decks_of_photographed_faces_are_whole(self) -> None:
        dice = np.random.default_rng(1)
        plain = {name: np.full((2, 28, 20, 3), number, np.uint8) for number, name in enumerate(cards.FACES)}
        few = {name: np.full((1, 28, 20, 3), 200, np.uint8) for name in cards.FACES[:30]}
        with tempfile.TemporaryDirectory() as name:
            self.assertEqual(pictured.decks(Path(name), dice, 3), [])
            np.savez(Path(name) / "few.npz", **few)
            self.assertEqual(pictured.decks(Path(name), dice, 3), [], "no deck has a face that nobody photographed")
            np.savez(Path(name) / "plain.npz", **plain)
            made = pictured.decks(Path(name), dice, 3)
        self.assertEqual([set(deck) for deck in made], 6 * [set(cards.FACES)])
        self.assertEqual({deck["AC"][14, 10, 0] for deck in made[:3]}, {200})
        self.assertEqual({deck["KS"][14, 10, 0] for deck in made}, {51}, "what one set lacks is the other's")

    def test_a_covered_card_asks_for_no_reading(self) -> None:
        card = scenes.Card(7, np.zeros((4, 2), np.float32), visible=0.2, index_visible=0.0)
        self.assertEqual(lessons._answer(card), (-1, -1, lessons.NONE_STATE))
        card.index_visible = 1.0
        self.assertEqual(lessons._answer(card), (7, 0, lessons.UP_STATE))

    def test_a_known_temperature_is_found_again(self) -> None:
        dice = np.random.default_rng(1)
        logits = dice.normal(0, 2, (20_000, 4))
        belief = calibrate.softmax(logits)
        truth = (belief.cumsum(axis=1) > dice.random((20_000, 1))).argmax(axis=1)
        self.assertAlmostEqual(calibrate.temperature(3 * logits, truth), 3.0, delta=0.15)
        self.assertLess(calibrate.reliability(3 * logits, truth, 3.0)[1], 0.02)

    def test_a_right_reading_is_matched_before_a_better_frame(self) -> None:
        quad = np.float32([(0, 0), (10, 0), (10, 14), (0, 14)])
        right = detect.Found(quad + 2, 1.0, np.eye(13)[0], np.eye(4)[3], np.eye(3)[0])
        wrong = detect.Found(quad, 1.0, np.eye(13)[1], np.eye(4)[3], np.eye(3)[0])
        matched, extra = evaluate.judge([wrong, right], [{"card": "AS", "bbox": [0, 0, 10, 14]}])
        self.assertIs(matched[0][1], right)
        self.assertEqual(extra, [wrong])

    def test_a_tiny_run_trains_goes_on_exports_and_agrees(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            shards.make(self.store, folder / "shards/shard-000", 1, 12, True)
            for kind in ("finder", "reader"):
                for steps in (2, 4):
                    source = train.Shards(kind, [folder / "shards"], [1.0], 1)
                    train.train(kind, source, folder / f"{kind}.pt", steps, 1, 2, "a test", train.FROZEN[kind])
                saved = torch.load(folder / f"{kind}.pt")
                self.assertEqual(saved["step"], 4)
                net = nets.build(kind, pretrained=False)
                net.load_state_dict(saved["net"])
                file = folder / f"{kind}.onnx"
                worst = export.export(kind, net, file, {"rank": 1.25}, saved["trained"])
                self.assertLess(worst, export.TOLERANCE)
                told = {entry.key: entry.value for entry in onnx.load(str(file)).metadata_props}
                self.assertEqual(told["fairdeal.kind"], kind)
                self.assertEqual(told.get("fairdeal.temperature.rank"), "1.2500" if kind == "reader" else None)
                self._begun(kind, folder, file)
            self._judged(folder)

    def _begun(self, kind: str, folder: Path, file: Path) -> None:
        """A model file can be gone on from: before the first step the network is what the file holds."""
        again = folder / f"{kind}-again.pt"
        source = train.Shards(kind, [folder / "shards"], [1.0], 1)
        train.train(kind, source, again, 0, 1, 2, "", train.FROZEN[kind], file)
        saved = torch.load(again)
        net = nets.build(kind, pretrained=False)
        net.load_state_dict(saved["net"])
        self.assertLess(export.difference(kind, net.eval(), file), export.TOLERANCE)
        self.assertIn("a test", saved["trained"])

    def _judged(self, folder: Path) -> None:
        """Networks that know nothing still give the evaluation something to count."""
        scene = self.scene(1)
        cv2.imwrite(str(folder / "a.png"), scene.picture)
        boxes = [{"card": "AS", "bbox": [0, 0, 10, 14], "quad": [[0, 0], [10, 0], [10, 14], [0, 14]], "visible": 1.0}]
        image = {"image": "a.png", "w": shards.TILE, "h": shards.TILE, "split": "train", "boxes": boxes}
        (folder / "labels.json").write_text(json.dumps({"note": "", "images": [image]}))
        found = evaluate.look(*detect.networks(str(folder)), scene.picture)
        self.assertEqual(len(evaluate.judge(found, boxes)[0]), 1)
        labelled.stills(folder, folder / "stills", 1, 2)
        self.assertEqual(np.load(folder / "stills/shard-000/picture.npy").shape, (4, shards.TILE, shards.TILE, 3))


if __name__ == "__main__":
    unittest.main()
