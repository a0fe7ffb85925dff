/** Where one is signed in, and the end of it. */
import { useAnswer } from '../../app/answer.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { counted } from '../../parts/counted.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { type Session, SessionList } from '../../parts/session-list.tsx'
import { endOtherSessions, endSession, readSessions } from './account-api.ts'

export function Sessions({ known }: { readonly known: readonly Session[] }) {
  const { value: sessions, error, reload } = useAnswer<readonly Session[]>('sessions', readSessions, known)
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
      <SessionList sessions={sessions ?? []} busy={action.busy} onEnd={(ref) => end(() => endSession(ref))} />
      <button
        type="button"
        disabled={action.busy || sessions === null || sessions.length < 2}
        onClick={() =>
          end(async () => {
            const count = await endOtherSessions()
            toast(`${counted(count, 'session')} ended.`)
          })
        }
      >
        End all others
      </button>
    </section>
  )
}
