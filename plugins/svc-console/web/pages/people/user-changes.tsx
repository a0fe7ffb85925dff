/** What becomes of a user: switched off and on, renamed, deleted. A change is refused where somebody else made one meanwhile. */
import { useState } from 'preact/hooks'
import { go, href } from '../../app/location.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Confirm } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { deleteUser, renameUser, setEnabled, type User } from './people-api.ts'

interface Changing {
  readonly user: User
  readonly onChange: (user: User) => void
}

export function UserChanges({ user, onChange }: Changing) {
  const [name, setName] = useState(user.identifier)
  const [isLeaving, setLeaving] = useState(false)
  const action = useAction()
  const rename = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const renamed = await renameUser(user.id, name.trim(), user.updatedAt)
      onChange(renamed)
      toast(`The name is ${renamed.identifier} now, and every way in has ended.`)
    })
  }
  const switchTo = (enabled: boolean) =>
    void action.run(async () => {
      onChange(await setEnabled(user.id, enabled))
      toast(enabled ? 'Enabled.' : 'Disabled: no way in is left.')
    })
  const remove = async () => {
    await deleteUser(user.id, user.updatedAt)
    toast(`${user.identifier} is deleted.`)
    go(href(['people']))
  }
  return (
    <section class="card">
      <h2>Account</h2>
      <ErrorNotice error={action.error} />
      <form class="stacked narrow" onSubmit={rename}>
        <label>
          Name of the user
          <input
            value={name}
            required
            maxLength={1024}
            autocomplete="off"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <div class="buttons">
          <button type="submit" disabled={action.busy || name.trim() === user.identifier}>
            Rename
          </button>
          <button type="button" disabled={action.busy} onClick={() => switchTo(!user.enabled)}>
            {user.enabled ? 'Disable' : 'Enable'}
          </button>
          <button type="button" class="danger" disabled={action.busy} onClick={() => setLeaving(true)}>
            Delete
          </button>
        </div>
      </form>
      {isLeaving && (
        <Confirm
          title={`Delete ${user.identifier}?`}
          action="Delete the user"
          onConfirm={() => void action.run(remove)}
          onClose={() => setLeaving(false)}
        >
          <p>Sessions, keys and logins by tokens end. This cannot be undone.</p>
        </Confirm>
      )}
    </section>
  )
}
