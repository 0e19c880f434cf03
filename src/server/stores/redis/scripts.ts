/**
 * The scripts of the store. Redis runs each of them as one step, so a check and the change that depends on it cannot be separated.
 *
 * A token belongs to one lease. `fence` of a session is the token of its latest lease: a process with an earlier token writes nothing. The
 * token 0 stands for a store that is used without a lease.
 */

/** The number of seconds after which a session that was never saved is forgotten. */
const UNSAVED_SECONDS = 3_600;

/** The fields of a session that are no parts of its record. */
export const OWN_FIELDS = ['fence', 'revision', 'execution', 'waiting', 'save'] as const;

/**
 * Saves a record if its revision is new, and updates the lists of sessions. Returns 1, 0 if the revision is taken, -1 for an earlier token,
 * and -2 if Redis has not the record of the save that the parts are changes of: then the whole record is to be sent. For a whole record,
 * whatever else Redis has of it is deleted.
 *
 * KEYS session, events, waiting, deadlines, running
 * ARGV token, revision, execution id, id, 1 for a run, what the list of open calls needs or nothing, time of asking, deadline or
 *   nothing, channel, id of this save, id of the save before or nothing for a whole record, number of parts to delete, their names, then
 *   the names and texts of the parts to write by turns
 */
export const SAVE = `
local token = tonumber(ARGV[1])
if token > 0 and token < tonumber(redis.call('HGET', KEYS[1], 'fence') or '0') then return -1 end
if tonumber(ARGV[2]) <= tonumber(redis.call('HGET', KEYS[1], 'revision') or '0') then return 0 end
if ARGV[11] == '' then
  local kept = { ${OWN_FIELDS.map((field) => `${field} = true`).join(', ')} }
  for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
    if not kept[field] then redis.call('HDEL', KEYS[1], field) end
  end
elseif redis.call('HGET', KEYS[1], 'save') ~= ARGV[11] then return -2 end
if redis.call('HGET', KEYS[1], 'execution') ~= ARGV[3] then redis.call('DEL', KEYS[2]) end
redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'execution', ARGV[3], 'waiting', ARGV[6], 'save', ARGV[10])
local first = 13 + tonumber(ARGV[12])
for index = 13, first - 1 do redis.call('HDEL', KEYS[1], ARGV[index]) end
for index = first, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1]) end
redis.call('PERSIST', KEYS[1])
local id = ARGV[4]
if ARGV[5] == '1' then redis.call('SADD', KEYS[5], id) else redis.call('SREM', KEYS[5], id) end
if ARGV[6] ~= '' then redis.call('ZADD', KEYS[3], ARGV[7], id) else redis.call('ZREM', KEYS[3], id) end
if ARGV[8] ~= '' then redis.call('ZADD', KEYS[4], ARGV[8], id) else redis.call('ZREM', KEYS[4], id) end
redis.call('PUBLISH', ARGV[9], id)
return 1`;

/**
 * Returns the fields of a session and their values by turns. A command would return them in a form that depends on the version of the
 * protocol that the client speaks.
 *
 * KEYS session
 */
export const LOAD = "return redis.call('HGETALL', KEYS[1])";

/**
 * Appends an event to the log. Returns 1, 0 for an event that the log has or that belongs to an earlier execution, -1 for an earlier token.
 *
 * KEYS session, events
 * ARGV token, execution id, seq, event, number of events to keep
 */
export const APPEND = `
local token = tonumber(ARGV[1])
if token > 0 and token < tonumber(redis.call('HGET', KEYS[1], 'fence') or '0') then return -1 end
if redis.call('HGET', KEYS[1], 'execution') ~= ARGV[2] then return 0 end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
if last and tonumber(string.match(last[1], '^%d+')) >= tonumber(ARGV[3]) then return 0 end
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[5], ARGV[3] .. '-0', 'event', ARGV[4])
return 1`;

/**
 * Returns the id of the oldest event, then the ids and events after a sequence number by turns. Returns nothing for an earlier execution.
 *
 * KEYS session, events
 * ARGV execution id, seq
 */
export const READ = `
if redis.call('HGET', KEYS[1], 'execution') ~= ARGV[1] then return false end
local oldest = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
local found = { oldest and oldest[1] or '' }
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '(' .. ARGV[2] .. '-0', '+')) do
  table.insert(found, entry[1])
  table.insert(found, entry[2][2])
end
return found`;

/**
 * Takes a session that no other process owns. Returns the token, or nothing.
 *
 * KEYS lease, session, tokens
 * ARGV node, duration of the lease
 */
export const ACQUIRE = `
local holder = redis.call('GET', KEYS[1])
if holder and string.match(holder, ' (.*)$') ~= ARGV[1] then return false end
local token = redis.call('INCR', KEYS[3])
redis.call('SET', KEYS[1], token .. ' ' .. ARGV[1], 'PX', ARGV[2])
redis.call('HSET', KEYS[2], 'fence', token)
if redis.call('HEXISTS', KEYS[2], 'revision') == 0 then redis.call('EXPIRE', KEYS[2], ${UNSAVED_SECONDS}) end
return token`;

/**
 * Renews a lease and takes what is in the mailbox of the session. The reply of each request that is taken begins with the token, so that
 * its sender knows who has it. Returns the requests, or nothing if the lease is lost. A lease that expired and that no other process took
 * is renewed: the fence still has its token.
 *
 * KEYS lease, session, mailbox
 * ARGV token, node, duration of the lease, prefix of replies, duration of replies
 */
export const RENEW = `
local mine = ARGV[1] .. ' ' .. ARGV[2]
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= mine then return false end
if not holder and redis.call('HGET', KEYS[2], 'fence') ~= ARGV[1] then return false end
redis.call('SET', KEYS[1], mine, 'PX', ARGV[3])
local items = redis.call('LRANGE', KEYS[3], 0, -1)
redis.call('DEL', KEYS[3])
for _, item in ipairs(items) do
  local request = string.match(item, '^open (%S+)')
  if request then
    redis.call('XADD', ARGV[4] .. request, '1-0', 'taken', ARGV[1])
    redis.call('PEXPIRE', ARGV[4] .. request, ARGV[5])
  end
end
return items`;

/**
 * Gives a lease back, unless a request waits in the mailbox. Returns 1 if the process has the lease no longer.
 *
 * KEYS lease, mailbox
 * ARGV token, node
 */
export const RELEASE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] .. ' ' .. ARGV[2] then return 1 end
if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
redis.call('DEL', KEYS[1])
return 1`;

/**
 * Puts a message into the mailbox of a session and tells its owner. Returns 0 if the session has no owner. The end of a request follows
 * the request also into the mailbox of a session whose owner died.
 *
 * KEYS lease, mailbox
 * ARGV message, duration of the mailbox, prefix of channels, id
 */
export const SEND = `
local holder = redis.call('GET', KEYS[1])
if not holder and (string.find(ARGV[1], '^open ') or redis.call('EXISTS', KEYS[2]) == 0) then return 0 end
redis.call('RPUSH', KEYS[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
if not holder then return 0 end
redis.call('PUBLISH', ARGV[3] .. string.match(holder, ' (.*)$'), 'session ' .. ARGV[4])
return 1`;

/**
 * Reads on in the reply to a request, and takes a request back that has no owner and that nobody took. Returns the token of the lease or
 * nothing, 1 if the request was taken back, and the ids, fields and values of the entries by turns.
 *
 * KEYS lease, mailbox, reply
 * ARGV message, number of the last entry, number of entries to return
 */
export const READ_REPLY = `
local holder = redis.call('GET', KEYS[1])
local found = { holder and string.match(holder, '^%d+') or '', 0 }
local entries = redis.call('XRANGE', KEYS[3], '(' .. ARGV[2] .. '-0', '+', 'COUNT', ARGV[3])
if not holder and ARGV[2] == '0' and #entries == 0 then found[2] = redis.call('LREM', KEYS[2], 1, ARGV[1]) end
for _, entry in ipairs(entries) do
  table.insert(found, entry[1])
  table.insert(found, entry[2][1])
  table.insert(found, entry[2][2])
end
return found`;

/**
 * Adds entries to a reply and tells the process that waits for it. Returns the number of processes that heard it.
 *
 * KEYS reply
 * ARGV number of the first entry, duration of replies, number of entries to keep, channel, request id, then fields and values by turns
 */
export const REPLY = `
local number = tonumber(ARGV[1])
for index = 6, #ARGV, 2 do
  redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], number .. '-0', ARGV[index], ARGV[index + 1])
  number = number + 1
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('PUBLISH', ARGV[4], 'reply ' .. ARGV[5])`;

/**
 * Returns the number of sessions that wait from a time of asking on, at most as many as asked for, then the text stored of
 * each. Sessions that were deleted leave the list.
 *
 * KEYS waiting
 * ARGV time of asking, number of sessions to skip, number of sessions to return, prefix of sessions
 */
export const LIST_WAITING = `
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], '+inf', 'LIMIT', ARGV[2], ARGV[3])
local found = { #ids }
for _, id in ipairs(ids) do
  local waiting = redis.call('HGET', ARGV[4] .. id, 'waiting')
  if waiting then table.insert(found, waiting) else redis.call('ZREM', KEYS[1], id) end
end
return found`;

/**
 * Returns the sessions that `recover` goes on with: those whose record says that a run is under way and that nobody owns, and those with a
 * deadline that is over. Sessions that were deleted leave the lists.
 *
 * KEYS running, deadlines
 * ARGV prefix of leases, prefix of sessions
 */
export const FIND_LEFT = `
local found = {}
local function add(id, list, remove)
  if redis.call('EXISTS', ARGV[2] .. id) == 0 then redis.call(remove, list, id)
  elseif redis.call('EXISTS', ARGV[1] .. id) == 0 then table.insert(found, id) end
end
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do add(id, KEYS[1], 'SREM') end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now))) do add(id, KEYS[2], 'ZREM') end
return found`;
