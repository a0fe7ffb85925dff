/** The own account: how one signs in, where one is signed in, and the keys of one's programs. */
import { serves, settings } from '../../app/settings.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { ApiKeys } from './api-keys.tsx'
import { OneTimeCodes } from './one-time-codes.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'

export default function AccountPage() {
  return (
    <>
      <PageHead title="Account" />
      <p>
        Signed in as <strong>{settings.user?.identifier}</strong>
        <span class="muted"> · {settings.user?.roles.join(', ')}</span>
      </p>
      <PasswordForm />
      {serves('codes') && <OneTimeCodes />}
      {serves('passkeys') && <Passkeys />}
      <Sessions />
      {serves('keys') && <ApiKeys />}
    </>
  )
}
