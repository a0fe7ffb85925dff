/** The disk of SQLite fills up; the application is killed and stops. In the long run: each fault lasts. */
import t from 'tap'
import { sqlite } from './backends/sqlite.ts'
import { shortCampaign } from './short-campaign.ts'

t.test('faults of sqlite under load', { timeout: 240_000 }, (t) => shortCampaign(t, sqlite))
