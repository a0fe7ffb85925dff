/** What an instance held that was killed goes to another one; what a late claim took is given back. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BEAT_MS, MISSED_BEATS } from "svc-webhooks";
import t from "tap";
import { EndpointQueues } from "../src/bullmq-queue.ts";
import { bullmqQueue } from "../src/index.ts";
import { elapse } from "./support/elapse.ts";
import { redisProgram, startRedis } from "./support/redis.ts";

const skip = redisProgram === null && "this machine has no Redis";
const HOLDER = fileURLToPath(
	new URL("./support/holder-process.js", import.meta.url),
);
const deliveries = ["msg_1", "msg_2", "msg_3"].map((id) => ({
	id,
	endpointId: "wh_1",
	event: `{"id":"${id}"}`,
	held: false,
}));
const ANY_ROOM = () => 100;

t.test("the holder is killed", { skip }, async (t) => {
	const server = await startRedis(t, redisProgram ?? "");
	const redis = server.connect();
	const queue = bullmqQueue({ connection: redis });
	await queue.extend("other");
	await queue.admit("other", deliveries);

	const child = spawn(process.execPath, [HOLDER, server.path], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	t.teardown(() => child.kill("SIGKILL"));
	for await (const line of createInterface({ input: child.stdout })) {
		t.equal(line, "held 3");
		break;
	}
	child.kill("SIGKILL");
	await once(child, "exit");
	t.same(await queue.claim("other", 100, ANY_ROOM), [], "it may live still");
	t.match(await queue.counts(), { waiting: 0, held: 3 });

	for (let beat = 0; beat <= MISSED_BEATS; beat += 1) {
		await elapse(redis, BEAT_MS);
		t.equal(await queue.extend("other"), true);
	}
	const taken = await queue.claim("other", 100, ANY_ROOM);
	t.same(
		taken.toSorted((a, b) => a.id.localeCompare(b.id)),
		deliveries.map(({ held: _, ...delivery }) => ({
			...delivery,
			attempts: 0,
		})),
	);
	await queue.settle("other", {
		ended: taken.map(({ id }) => id),
		retried: [],
		released: [],
	});
	t.same(await queue.counts(), { waiting: 0, held: 0, oldestMs: null });
	await queue.close();
});

t.test(
	"a claim that is answered late leaves what it took to others",
	{ skip },
	async (t) => {
		const redis = (await startRedis(t, redisProgram ?? "")).connect();
		let now = 0;
		const queue = new EndpointQueues({ connection: redis }, () => {
			now += 5_000;
			return now;
		});
		await queue.extend("a");
		await queue.admit("a", deliveries);
		t.same(await queue.claim("a", 100, ANY_ROOM), []);
		t.match(await queue.counts(), { waiting: 3, held: 0 });
		await queue.close();
	},
);

t.test(
	"nothing is claimed for a holder that is not known to live",
	{ skip },
	async (t) => {
		const queue = bullmqQueue({
			connection: (await startRedis(t, redisProgram ?? "")).connect(),
		});
		await queue.admit("a", deliveries);
		t.same(await queue.claim("a", 100, ANY_ROOM), []);
		t.match(await queue.counts(), { waiting: 3, held: 0 });
		await queue.close();
	},
);
