/** Lets in who proves nothing, as the one anonymous user. Claims every request, so it belongs last in a zone. */
import { type AccessToken, ANONYMOUS_TOKEN } from 'svc-kernel'
import type { Authenticator } from './authenticator.ts'

export const ANONYMOUS_NAME = 'anonymous'

export class AnonymousAuthenticator implements Authenticator<null> {
  supports(): true {
    return true
  }

  createToken(): null {
    return null
  }

  authenticate(): AccessToken {
    return ANONYMOUS_TOKEN
  }
}
