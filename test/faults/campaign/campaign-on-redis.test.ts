/**
 * The Redis server between two instances stops and is killed; one of them is killed and stops. In the long run: each fault
 * lasts.
 */
import t from 'tap'
import { onEach } from './backends/on-each.ts'
import { redis } from './backends/redis.ts'
import { shortCampaign } from './short-campaign.ts'

onEach(t, { redis }, 'faults under load', shortCampaign)
