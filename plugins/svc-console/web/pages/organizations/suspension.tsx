/** Suspends an organisation with a reason, or resumes it. */
import { useState } from 'preact/hooks'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { type OrganizationProps, resume, suspend } from './organizations-api.ts'

export function Suspension({ organization: { id, name, suspendedAt }, onChange }: OrganizationProps) {
  const [isAsking, setAsking] = useState(false)
  const action = useAction()
  const goOn = () =>
    void action.run(async () => {
      await resume(id)
      onChange()
      toast(`${name} is open again.`)
    })
  return (
    <section class="card">
      <h2>Suspension</h2>
      <ErrorNotice error={action.error} />
      {suspendedAt === null ? (
        <>
          <p class="muted">Closes every door at once, and ends sockets, waiting jobs and keys.</p>
          <button type="button" class="danger" onClick={() => setAsking(true)}>
            Suspend
          </button>
        </>
      ) : (
        <>
          <p class="muted">Members get in again. Keys that the suspension has ended stay ended.</p>
          <button type="button" disabled={action.busy} onClick={goOn}>
            Resume
          </button>
        </>
      )}
      {isAsking && <SuspendDialog id={id} name={name} onClose={() => setAsking(false)} onChange={onChange} />}
    </section>
  )
}

interface SuspendDialogProps {
  readonly id: string
  readonly name: string
  readonly onClose: () => void
  readonly onChange: () => void
}

function SuspendDialog({ id, name, onClose, onChange }: SuspendDialogProps) {
  const [reason, setReason] = useState('')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await suspend(id, reason.trim())
      onClose()
      onChange()
      toast(`${name} is suspended: every door is closed.`)
    })
  }
  return (
    <Dialog title={`Suspend ${name}?`} onClose={onClose}>
      <form class="stacked" method="post" onSubmit={submit}>
        <ErrorNotice error={action.error} />
        <p>
          Its members and keys are refused at once. Its sockets close, its waiting jobs are cancelled, its keys end.
        </p>
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
        <div class="buttons end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="danger" disabled={action.busy}>
            Suspend the organisation
          </button>
        </div>
      </form>
    </Dialog>
  )
}
