/** Routes for holders of an API key: one that its user may call, one that it may not. */
import { Controller, Get, Req, UseGuards } from '@nestjs/common'
import type { User } from '../../../../test/dist/bench/peers/accounts.js'
import { ApiKeyGuard, Role, RolesGuard } from './guards.ts'

@Controller('keys')
@UseGuards(ApiKeyGuard, RolesGuard)
export class KeysController {
  @Get('hello')
  @Role('ROLE_MEMBER')
  hello(@Req() request: { readonly user: User }) {
    return { hello: 'world', who: request.user.identifier }
  }

  @Get('denied')
  @Role('ROLE_OWNER')
  denied(@Req() request: { readonly user: User }) {
    return { hello: 'world', who: request.user.identifier }
  }
}
