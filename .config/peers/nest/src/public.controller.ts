/** Routes for everybody, one of them with a body that class-validator checks. */
import { randomUUID } from 'node:crypto'
import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common'
import { JwtService } from '@nestjs/jwt'
import { IsString, MaxLength } from 'class-validator'
import { alice, createApiKey } from '../../../../test/dist/bench/peers/accounts.js'

class CreateArticle {
  @IsString()
  @MaxLength(200)
  title!: string

  @IsString()
  body!: string
}

@Controller('public')
export class PublicController {
  readonly #jwt: JwtService

  constructor(@Inject(JwtService) jwt: JwtService) {
    this.#jwt = jwt
  }

  @Get('hello')
  hello() {
    return { hello: 'world' }
  }

  @Post('articles')
  @HttpCode(200)
  create(@Body() article: CreateArticle) {
    return article
  }

  @Get('credentials')
  async credentials() {
    const claims = { sub: alice.identifier, jti: randomUUID() }
    return { apikey: createApiKey(alice.identifier), jwt: await this.#jwt.signAsync(claims) }
  }
}
