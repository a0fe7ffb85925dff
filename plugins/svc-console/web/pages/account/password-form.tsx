/** Changes the own password. Every other session of the account ends with it. */
import { useState } from 'preact/hooks'
import { settings } from '../../app/settings.ts'
import { toast } from '../../app/toasts.tsx'
import { useAction } from '../../parts/action.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Hinted } from '../../parts/hinted.tsx'
import { changePassword } from './account-api.ts'

export function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction()
  const submit = async (event: Event) => {
    event.preventDefault()
    const done = await action.run(async () => {
      await changePassword(current, password)
    })
    if (!done) return
    setCurrent('')
    setPassword('')
    toast('The password is changed. Other sessions have ended.')
  }
  return (
    <section class="card">
      <h2>Password</h2>
      <form class="stacked narrow" method="post" onSubmit={(event) => void submit(event)}>
        <ErrorNotice error={action.error} />
        {/* For the password manager. */}
        <input
          class="hidden"
          name="username"
          autocomplete="username"
          value={settings.user?.identifier}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <label>
          Current password
          <input
            type="password"
            name="current"
            autocomplete="current-password"
            required
            value={current}
            onInput={(event) => setCurrent(event.currentTarget.value)}
          />
        </label>
        <Hinted label="New password" hint="Every other session of this account ends with the change.">
          <input
            type="password"
            name="password"
            autocomplete="new-password"
            required
            maxLength={1024}
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </Hinted>
        <div class="buttons">
          <button type="submit" disabled={action.busy}>
            Change the password
          </button>
        </div>
      </form>
    </section>
  )
}
