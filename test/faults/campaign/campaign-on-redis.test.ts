/**
 * The Redis server between two instances stops and is killed; one of them is killed and stops. In the long run: each fault
 * lasts.
 */
import t from 'tap'
import { redis } from './backends/redis.ts'
import { shortCampaign } from './short-campaign.ts'

t.test('faults of redis under load', { timeout: 240_000 }, (t) => shortCampaign(t, redis))
