/** Makes a user with a first password. */
import { useState } from 'preact/hooks'
import { go, href } from '../../app/location.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { createUser } from './people-api.ts'
import { RolesField, rolesOf } from './roles-field.tsx'

export function NewUserDialog({ onClose }: { readonly onClose: () => void }) {
  const [identifier, setIdentifier] = useState('')
  const [password, setPassword] = useState('')
  const [roles, setRoles] = useState('ROLE_USER')
  const action = useAction()
  const submit = (event: Event) => {
    event.preventDefault()
    void action.run(async () => {
      const user = await createUser({ identifier: identifier.trim(), password, roles: rolesOf(roles) })
      toast(`${user.identifier} can sign in.`)
      for (const warning of user.warnings) toast(warning)
      onClose()
      go(href(['people', user.id]))
    })
  }
  return (
    <Dialog title="New user" onClose={onClose}>
      <form class="stacked" method="post" onSubmit={submit}>
        <ErrorNotice error={action.error} />
        <label>
          Name
          <input
            value={identifier}
            required
            maxLength={1024}
            autocomplete="off"
            onInput={(event) => setIdentifier(event.currentTarget.value)}
          />
        </label>
        <label>
          First password
          <input
            type="password"
            value={password}
            required
            maxLength={1024}
            autocomplete="new-password"
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        <RolesField label="Roles" text={roles} before={[]} onText={setRoles} />
        <div class="buttons end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.busy}>
            Make the user
          </button>
        </div>
      </form>
    </Dialog>
  )
}
