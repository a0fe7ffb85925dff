/** Who has spent most of a limit now, asked for every few seconds. */
import { useEffect } from 'preact/hooks'
import { useAnswer } from '../../app/answer.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { readSpending } from './limits-api.ts'

const ASK_MS = 5000

interface CallersProps {
  readonly name: string
  readonly burst: number
  readonly store: string
}

export function Callers({ name, burst, store }: CallersProps) {
  const { value, error, reload } = useAnswer(name, () => readSpending(name))
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, ASK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <section class="card">
      <h2>Who spends it now</h2>
      <p class="muted">
        {store === 'memory' ? 'Counted in the memory of this instance.' : `Counted for all instances, in ${store}.`} A
        hash stands for a key that may be secret.
      </p>
      <ErrorNotice error={error} onRetry={reload} />
      {value?.callers.length === 0 && <EmptyState title="Nothing of it is spent." />}
      {value !== null && value.callers.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
        <section class="scroll" tabIndex={0} aria-label="Callers">
          <table>
            <thead>
              <tr>
                <th scope="col">Caller</th>
                <th scope="col">Spent of {burst}</th>
                <th scope="col">Left</th>
                <th scope="col">Whole again</th>
              </tr>
            </thead>
            <tbody>
              {value.callers.map(({ caller, spent, remaining, resetS }) => (
                <tr key={caller}>
                  <th scope="row">
                    <code>{caller}</code>
                  </th>
                  <td>{spent}</td>
                  <td>{remaining}</td>
                  <td>in {resetS} s</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  )
}
