/** A moment of the local zone, kept as epoch ms in text: empty for none. */
import { KeptInput } from './kept-input.tsx'

interface TimeFieldProps {
  readonly label: string
  readonly value: string | undefined
  /** `null` for none. */
  readonly onChange: (ms: string | null) => void
}

export function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <label>
      {label}
      <KeptInput
        type="datetime-local"
        step="1"
        value={localInput(value)}
        onCommit={(local) => onChange(epoch(local))}
      />
    </label>
  )
}

/** Epoch ms as the field of the browser writes a local time. */
function localInput(ms: string | undefined): string {
  const time = new Date(Number(ms))
  if (ms === undefined || ms === '' || Number.isNaN(time.getTime())) return ''
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

function epoch(local: string): string | null {
  const time = new Date(local).getTime()
  return Number.isNaN(time) ? null : String(time)
}
