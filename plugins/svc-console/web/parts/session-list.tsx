/** Sessions, each with the device and the address that it is used from, and a way to end it. */
import { Badge } from './badge.tsx'
import { deviceOf } from './device.ts'
import { Time } from './time.tsx'

export interface Session {
  readonly ref: string
  /** The one of this browser, where that can be among them. */
  readonly current?: boolean
  readonly ip: string | null
  readonly userAgent: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

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
