/** Offers the ownership to a member in the name of an owner, who gets the role of the member once it is accepted. */
import { useState } from 'preact/hooks'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { type Member, offerOwnership } from './organizations-api.ts'

interface TransferDialogProps {
  /** Of the organisation. */
  readonly id: string
  readonly to: Member
  /** Those of the members that are loaded. */
  readonly owners: readonly Member[]
  readonly onClose: () => void
  readonly onChange: () => void
}

export function TransferDialog({ id, to, owners, onClose, onChange }: TransferDialogProps) {
  const [from, setFrom] = useState(owners[0]?.id ?? '')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      await offerOwnership(id, from, to.id)
      onClose()
      onChange()
      toast(`${to.identifier} can accept the ownership.`)
    })
  }
  return (
    <Dialog title={`Offer the ownership to ${to.identifier}`} onClose={onClose}>
      <form class="stacked" method="post" onSubmit={submit}>
        <ErrorNotice error={action.error} />
        <p>
          Nothing changes until {to.identifier} accepts it. The owner then gets the role {to.role}.
        </p>
        {owners.length === 0 && <p class="notice warn">No owner is among the members that are loaded: load more.</p>}
        <label>
          Owner who gives it
          <select value={from} required onChange={(event) => setFrom(event.currentTarget.value)}>
            {owners.map((owner) => (
              <option key={owner.id} value={owner.id}>
                {owner.identifier}
              </option>
            ))}
          </select>
        </label>
        <div class="buttons end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.busy || from === ''}>
            Offer the ownership
          </button>
        </div>
      </form>
    </Dialog>
  )
}
