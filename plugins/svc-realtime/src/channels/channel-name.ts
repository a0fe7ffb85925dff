/** What may be the name of a channel. */

const NAME = /^[^\s*\p{Cc}]{1,255}$/u

/** Channels of the framework itself; only administrators hear them. */
export const RESERVED_PREFIX = 'svc:'

export function isChannelName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name)
}
