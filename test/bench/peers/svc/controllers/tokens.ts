/** The route for holders of a signed token. */
import { CurrentUser, controller, Get, IsGranted } from 'svc-decorators'
import type { User } from 'svc-kernel'

@controller('/tokens')
export class TokensController {
  @Get('/hello')
  @IsGranted('ROLE_MEMBER')
  hello(@CurrentUser() user: User): unknown {
    return { hello: 'world', who: user.identifier }
  }
}
