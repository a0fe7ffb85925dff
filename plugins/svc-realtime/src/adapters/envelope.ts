/**
 * A message on its way between instances. What arrives was written by whoever
 * reaches the server between them, so it is read with care: anything else than
 * an envelope is ignored.
 */
import { isChannelName } from '../channels/channel-name.ts'

export interface Envelope {
  readonly from: string
  readonly channel: string
  /** JSON text. */
  readonly data: string
}

/** @param data JSON text */
export function writeEnvelope({ from, channel, data }: Envelope): string {
  return `{"from":${JSON.stringify(from)},"channel":${JSON.stringify(channel)},"data":${data}}`
}

export function readEnvelope(text: string): Envelope | null {
  try {
    const { from, channel, data } = JSON.parse(text) as Record<string, unknown>
    if (typeof from !== 'string' || !isChannelName(channel) || data === undefined) return null
    return { from, channel, data: JSON.stringify(data) }
  } catch {
    return null
  }
}
