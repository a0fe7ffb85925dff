/** PostgreSQL stops, is killed, runs out of disk; the application is killed and stops. In the long run: each fault lasts. */
import t from 'tap'
import { onEach } from './backends/on-each.ts'
import { postgres } from './backends/postgres.ts'
import { shortCampaign } from './short-campaign.ts'

onEach(t, { postgres }, 'faults under load', shortCampaign)
