/** Where one is signed in, and the end of it. */
import { useAnswer } from '../../app/answer.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Badge } from '../../parts/badge.tsx'
import { deviceOf } from '../../parts/device.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Time } from '../../parts/time.tsx'
import { endOtherSessions, endSession, type OwnSession, readSessions } from './account-api.ts'

export function Sessions({ known }: { readonly known: readonly OwnSession[] }) {
  const { value: sessions, error, reload } = useAnswer<readonly OwnSession[]>('sessions', readSessions, known)
  const action = useAction()
  const end = (work: () => Promise<unknown>) =>
    void action.run(async () => {
      await work()
      reload()
    })
  return (
    <section class="card">
      <h2>Sessions</h2>
      <ErrorNotice error={error ?? action.error} onRetry={reload} />
      <ul class="things">
        {sessions?.map(({ ref, current, ip, userAgent, createdAt, updatedAt }) => (
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
                disabled={action.busy}
                aria-label={`End the session of ${deviceOf(userAgent)}`}
                onClick={() => end(() => endSession(ref))}
              >
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      <button
        type="button"
        disabled={action.busy || sessions === null || sessions.length < 2}
        onClick={() =>
          end(async () => {
            const count = await endOtherSessions()
            toast(`${count} ${count === 1 ? 'session' : 'sessions'} ended.`)
          })
        }
      >
        End all others
      </button>
    </section>
  )
}
