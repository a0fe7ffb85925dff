/** The start page: outside every zone, so it needs no proof of identity. */
import { controller, Get, RateLimit } from 'svc-decorators'

@controller()
export class HomeController {
  @Get('/')
  @RateLimit({ rate: '600/min', by: 'address' })
  home() {
    return { message: 'It works.', hello: '/api/hello', console: '/svc/console', reference: '/svc/docs/api/' }
  }
}
