/** Short messages about what was done, read out by screen readers, with a way back where there is one. */
import { signal } from '@preact/signals'
import { speech } from '../parts/words.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly undo: (() => void) | null
}

const toasts = signal<readonly Toast[]>([])

const SHOWN_MS = 6000
let count = 0

export function toast(text: string, undo: (() => void) | null = null): void {
  count += 1
  const id = count
  toasts.value = [...toasts.value.slice(-3), { id, text, undo }]
  setTimeout(() => dismiss(id), SHOWN_MS)
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((other) => other.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, undo }) => (
        <div class="toast" key={id}>
          <span>{text}</span>
          {undo !== null && (
            <button
              type="button"
              class="plain"
              onClick={() => {
                dismiss(id)
                undo()
              }}
            >
              {speech.words.undo}
            </button>
          )}
          <button type="button" class="plain" aria-label={speech.words.dismiss} onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
