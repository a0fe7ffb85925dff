/** The published suite of durable queues, on a real Redis. */

import { durableQueueConformance } from "svc-webhooks/conformance";
import t from "tap";
import { type BullmqQueue, bullmqQueue } from "../src/index.ts";
import { elapse } from "./support/elapse.ts";
import { redisProgram, startRedis } from "./support/redis.ts";

t.test(
	"the suite",
	{ skip: redisProgram === null && "this machine has no Redis" },
	async (t) => {
		const redis = (await startRedis(t, redisProgram ?? "")).connect();
		await durableQueueConformance(t, {
			makeStore: async () => {
				await redis.flushall();
				return bullmqQueue({ connection: redis });
			},
			closeStore: (queue) => (queue as BullmqQueue).close(),
			faults: null,
			elapse: (ms) => elapse(redis, ms),
		});
	},
);
