/** The disk of SQLite fills up; the application is killed and stops. In the long run: each fault lasts. */
import t from 'tap'
import { onEach } from './backends/on-each.ts'
import { sqlite } from './backends/sqlite.ts'
import { shortCampaign } from './short-campaign.ts'

onEach(t, { sqlite }, 'faults under load', shortCampaign)
