/** What a receiver gets (spec, "Outbound delivery"): the message, signed for this very attempt. Pure. */
import { signMessage } from '../signature/sign-message.ts'
import type { DeliveryRequest } from '../transport/transport.ts'
import type { Message } from './delivery-job.ts'

const USER_AGENT = 'Svc-Webhooks/1.0'

/** @param key the decoded secret @param timestampS epoch seconds of this attempt */
export function deliveryRequest(url: string, key: Buffer, message: Message, timestampS: number): DeliveryRequest {
  const { id, body } = message
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signMessage(key, id, timestampS, body)
  }
  return { url, headers, body }
}
