/** How a delivery ended, as a badge; and the wait for one that was sent by hand. */
import { Badge, type Tone } from '../../parts/badge.tsx'
import { type Delivery, readDeliveries } from './webhooks-api.ts'

const TONES: Readonly<Record<string, Tone>> = { delivered: 'good', retried: 'warn' }

export function DeliveryBadge({ outcome }: { readonly outcome: string }) {
  return <Badge tone={TONES[outcome] ?? 'bad'}>{outcome}</Badge>
}

const ASK_MS = 250
const ASKS = 60

/** @param after epoch ms: an earlier delivery of the same message is not it @returns a sentence */
export async function outcomeOf(id: string, messageId: string, after = 0): Promise<string> {
  for (let ask = 0; ask < ASKS; ask += 1) {
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
    const { rows } = await readDeliveries(id, {}, null)
    const found = rows.find((delivery) => delivery.messageId === messageId && delivery.ts > after)
    if (found !== undefined) return sentence(found)
  }
  return 'The message has not ended yet: see the deliveries.'
}

function sentence({ ok, status, error, durationMs }: Delivery): string {
  if (ok) return `Delivered: ${status} in ${durationMs} ms.`
  return `Not delivered: ${error ?? status}.`
}
