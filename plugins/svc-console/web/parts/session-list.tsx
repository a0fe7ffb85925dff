/** Sessions, each with the device and the address that it is used from, and a way to end it. */
import type { OwnSessions } from 'svc-security/wire'
import { Badge } from './badge.tsx'
import { deviceOf } from './device.ts'
import { Time } from './time.tsx'

/** Of an account, or of a user whom an administrator looks at. */
export type Session = Omit<OwnSessions['sessions'][number], 'current'> &
  Partial<Pick<OwnSessions['sessions'][number], 'current'>>

export function SessionList({
  sessions,
  busy,
  onEnd
}: {
  readonly sessions: readonly Session[]
  readonly busy: boolean
  readonly onEnd: (ref: string) => void
}) {
  return (
    <ul class="things">
      {sessions.map(({ ref, current, ip, userAgent, createdAt, updatedAt }) => (
        <li key={ref}>
          <span>
            {current && <Badge tone="good">this browser</Badge>} <strong>{deviceOf(userAgent)}</strong>
            <span class="muted" title={userAgent ?? undefined}>
              {' '}
              · {ip ?? 'address unknown'} · since <Time at={createdAt} />, used <Time at={updatedAt} />
            </span>
          </span>
          {!current && (
            <button
              type="button"
              disabled={busy}
              aria-label={`End the session of ${deviceOf(userAgent)}`}
              onClick={() => onEnd(ref)}
            >
              End
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
