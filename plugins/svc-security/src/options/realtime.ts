/** Section `realtime`: how often the identity of an open WebSocket is looked at again. */

export interface RealtimeOptions {
  /** At most one look per socket in this time, in milliseconds; 0 looks before each message. Default 250. */
  readonly revalidateWindowMs?: number
}

export type RealtimeConfig = Required<RealtimeOptions>

export const realtimeSchema = {
  type: 'object',
  default: {},
  additionalProperties: false,
  properties: { revalidateWindowMs: { type: 'integer', minimum: 0, maximum: 60_000, default: 250 } }
} as const
