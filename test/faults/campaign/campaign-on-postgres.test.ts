/** PostgreSQL stops, is killed, runs out of disk; the application is killed and stops. In the long run: each fault lasts. */
import t from 'tap'
import { postgres } from './backends/postgres.ts'
import { shortCampaign } from './short-campaign.ts'

t.test('faults of postgres under load', { timeout: 240_000 }, (t) => shortCampaign(t, postgres))
