-- What wrk sends: events of accounts chosen at random, each with an operation id of its own. From the environment: API_KEY, RUN, a
-- text that no other run has, and ACCOUNTS, a file with an account id on each line.
local threads = 0

function setup(thread)
  thread:set('number', threads)
  threads = threads + 1
end

function init()
  accounts = {}
  for id in io.lines(os.getenv('ACCOUNTS')) do accounts[#accounts + 1] = id end
  operation = os.getenv('RUN') .. '-' .. number .. '-'
  headers = { ['Authorization'] = 'Bearer ' .. os.getenv('API_KEY'), ['Content-Type'] = 'application/json' }
  sent = 0
  math.randomseed(os.time() + number)
end

function request()
  sent = sent + 1
  local account = accounts[math.random(#accounts)]
  local body = string.format('{"programmaticCode":"LOGIN","accountId":"%s","operationId":"%s%09d"}', account, operation, sent)
  return wrk.format('POST', '/gamification/triggers', headers, body)
end
