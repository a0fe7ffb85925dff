/** The route for holders of a signed token. */
import { Controller, Get, Req, UseGuards } from '@nestjs/common'
import type { User } from '../../../../test/dist/bench/peers/accounts.js'
import { Role, RolesGuard, TokenGuard } from './guards.ts'

@Controller('tokens')
@UseGuards(TokenGuard, RolesGuard)
export class TokensController {
  @Get('hello')
  @Role('ROLE_MEMBER')
  hello(@Req() request: { readonly user: User }) {
    return { hello: 'world', who: request.user.identifier }
  }
}
