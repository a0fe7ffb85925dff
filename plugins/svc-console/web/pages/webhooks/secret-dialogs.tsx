/** The secret that messages are signed with: shown, and replaced without a message that no receiver can verify. */
import { useState } from 'preact/hooks'
import { useAction } from '../../parts/action.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'

export function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title="The secret of this endpoint" onClose={onClose}>
      <p>The receiver verifies messages with it. Keep it where secrets are kept.</p>
      <p class="secret">
        <code>{secret}</code> <CopyButton text={secret} label="Copy the secret" />
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  )
}

const OVERLAPS: readonly [title: string, seconds: number][] = [
  ['1 hour', 3600],
  ['1 day', 86_400],
  ['7 days', 604_800],
  ['None: the old one is invalid at once', 0]
]

interface RotateDialogProps {
  readonly onRotate: (overlapS: number) => Promise<void>
  readonly onClose: () => void
}

export function RotateDialog({ onRotate, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState(86_400)
  const action = useAction()
  return (
    <Dialog title="Replace the secret" onClose={onClose}>
      <ErrorNotice error={action.error} />
      <ol>
        <li>A new secret is made and shown. For a while messages are signed with both.</li>
        <li>Give the new one to the receiver within that time.</li>
        <li>Then the old one ends by itself. No message is lost.</li>
      </ol>
      <label>
        Both are valid for
        <select value={overlap} onChange={(event) => setOverlap(Number(event.currentTarget.value))}>
          {OVERLAPS.map(([title, seconds]) => (
            <option key={seconds} value={seconds}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <div class="buttons end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="primary"
          disabled={action.busy}
          onClick={() => void action.run(() => onRotate(overlap))}
        >
          Replace
        </button>
      </div>
    </Dialog>
  )
}
