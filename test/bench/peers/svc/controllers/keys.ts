/** Routes for holders of an API key: one that its user may call, one that it may not. */
import { CurrentUser, controller, Get, IsGranted } from 'svc-decorators'
import type { User } from 'svc-kernel'

@controller('/keys')
export class KeysController {
  @Get('/hello')
  @IsGranted('ROLE_MEMBER')
  hello(@CurrentUser() user: User): unknown {
    return { hello: 'world', who: user.identifier }
  }

  @Get('/denied')
  @IsGranted('ROLE_OWNER')
  denied(@CurrentUser() user: User): unknown {
    return { hello: 'world', who: user.identifier }
  }
}
