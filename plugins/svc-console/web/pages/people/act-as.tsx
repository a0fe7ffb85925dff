/** Begins to act as a user: with a reason, which the journal keeps. */
import { useState } from 'preact/hooks'
import { beginActing } from '../../app/acting.ts'
import { useAction } from '../../parts/action.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'

export function ActAs({ user, onClose }: { readonly user: string; readonly onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [write, setWrite] = useState(false)
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(() => beginActing(user, reason.trim(), write))
  }
  return (
    <Dialog title={`Act as ${user}`} onClose={onClose}>
      <form class="stacked" method="post" onSubmit={submit}>
        <ErrorNotice error={action.error} />
        <p>Until you stop, this browser is {user}'s, and the console is closed to it. The journal names you both.</p>
        <label>
          Reason
          <input
            value={reason}
            required
            pattern=".*\S.*"
            maxLength={500}
            autocomplete="off"
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </label>
        <label>
          <input type="checkbox" checked={write} onInput={(event) => setWrite(event.currentTarget.checked)} /> Make
          changes, too
        </label>
        <div class="buttons end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.busy}>
            Act as the user
          </button>
        </div>
      </form>
    </Dialog>
  )
}
