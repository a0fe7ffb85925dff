/**
 * The document engine stops, is killed, runs out of disk; the application is killed and stops. In the long run: each fault
 * lasts.
 */
import t from 'tap'
import { documents } from './backends/documents.ts'
import { onEach } from './backends/on-each.ts'
import { shortCampaign } from './short-campaign.ts'

onEach(t, { documents }, 'faults under load', shortCampaign)
