/**
 * Channels of one user: what the server tells this user alone, on all of the user's sockets. Nobody else hears them,
 * administrators included, and no socket publishes to them. Pure.
 */
import { ANONYMOUS, type User } from 'svc-kernel'

const PREFIX = 'svc:own:'

/** @returns `svc:own:<user>:<topic>`, the user percent-encoded; `null` for an identifier that is no text of Unicode */
export function ownChannel(user: string, topic: string): string | null {
  const start = startOf(user)
  return start === null ? null : `${start}${topic}`
}

export function isOwnChannel(channel: string): boolean {
  return channel.startsWith(PREFIX)
}

/** Whether the channel is one of this user. */
export function owns(user: User | null, channel: string): boolean {
  if (user === null || user === ANONYMOUS) return false
  const start = startOf(user.identifier)
  return start !== null && channel.startsWith(start)
}

/** The encoding leaves no `:`, so that no user's start is the start of another one's. */
function startOf(user: string): string | null {
  if (!user.isWellFormed()) return null
  return `${PREFIX}${encodeURIComponent(user).replaceAll('*', '%2A')}:`
}
