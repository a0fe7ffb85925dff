/** The level of the log, changed while the application runs. */
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { LEVELS, setLogLevel } from './system-api.ts'

interface LogLevelProps {
  /** `null` where the logger has none. */
  readonly level: string | null
  readonly onChange: (level: string) => void
}

export function LogLevel({ level, onChange }: LogLevelProps) {
  const action = useAction()
  if (level === null) return null
  const change = async (wanted: string, undo = true) => {
    const { level: now, before } = await setLogLevel(wanted)
    onChange(now)
    toast(`The log is at ${now}.`, undo ? () => void action.run(() => change(before, false)) : null)
  }
  return (
    <section class="card">
      <h2>Log</h2>
      <ErrorNotice error={action.error} />
      <label class="narrow">
        Level, until the application starts again
        <select
          value={level}
          disabled={action.busy}
          onChange={(event) => {
            const wanted = event.currentTarget.value
            void action.run(() => change(wanted))
          }}
        >
          {(LEVELS.includes(level) ? LEVELS : [level, ...LEVELS]).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}
