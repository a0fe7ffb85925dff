/** A secret that is shown once. It can be left by the one button alone, so that no stray key takes it away. */
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { say } from './texts.ts'

interface SecretDialogProps {
  readonly title: string
  readonly hint: string
  readonly secret: string
  readonly onClose: () => void
}

export function SecretDialog({ title, hint, secret, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={null}>
      <p>{hint}</p>
      <p class="portal-secret">
        <code class="secret">{secret}</code> <CopyButton text={secret} />
      </p>
      <div class="buttons end">
        <button type="button" class="primary" onClick={onClose}>
          {say('stored')}
        </button>
      </div>
    </Dialog>
  )
}
