/** The own account: how one signs in, where one is signed in, and the keys of one's programs. */
import { useAnswer } from '../../app/answer.ts'
import { serves, settings } from '../../app/settings.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { readCodes, readKeys, readPasskeys, readSessions } from './account-api.ts'
import { ApiKeys } from './api-keys.tsx'
import { OneTimeCodes } from './one-time-codes.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'

/** Together, so that nothing moves when an answer comes later than another. */
async function readAccount() {
  const [sessions, codes, passkeys, keys] = await Promise.all([
    readSessions(),
    serves('codes') ? readCodes() : null,
    serves('passkeys') ? readPasskeys() : null,
    serves('keys') ? readKeys() : null
  ])
  return { sessions, codes, passkeys, keys }
}

export default function AccountPage() {
  const { value: account, error, reload } = useAnswer('account', readAccount)
  return (
    <>
      <PageHead title="Account" />
      <p>
        Signed in as <strong>{settings.user?.identifier}</strong>
        <span class="muted"> · {settings.user?.roles.join(', ')}</span>
      </p>
      <ErrorNotice error={error} onRetry={reload} />
      {account !== null && (
        <>
          <PasswordForm />
          {account.codes !== null && <OneTimeCodes known={account.codes} />}
          {account.passkeys !== null && <Passkeys known={account.passkeys} />}
          <Sessions known={account.sessions} />
          {account.keys !== null && <ApiKeys known={account.keys} />}
        </>
      )}
    </>
  )
}
