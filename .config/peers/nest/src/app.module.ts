/** The module: what is injected, and which controllers serve. */
import { Module } from '@nestjs/common'
import { JwtModule } from '@nestjs/jwt'
import { LIFETIME_S, TOKEN_SECRET } from '../../../../test/dist/bench/peers/accounts.js'
import { EchoGateway } from './echo.gateway.ts'
import { KeysController } from './keys.controller.ts'
import { PublicController } from './public.controller.ts'
import { TokensController } from './tokens.controller.ts'

@Module({
  imports: [JwtModule.register({ secret: TOKEN_SECRET, signOptions: { expiresIn: LIFETIME_S } })],
  controllers: [PublicController, KeysController, TokensController],
  providers: [EchoGateway]
})
export class AppModule {}
