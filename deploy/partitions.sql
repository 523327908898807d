-- Partitions by month of the tables that grow most: XML and bodies, history, answers of the SRI. PostgreSQL 14 or newer.
-- Stop the servers, make a backup, and run this file once in the schema of the server:
--   PGOPTIONS='-c search_path=celda_norte' psql --single-transaction -v ON_ERROR_STOP=1 -f deploy/partitions.sql "$DATABASE_URL"
-- Rows stay where they are: the tables of today become the first partition, for all documents before next month.
--
-- Each month, at least one month ahead:    select sri_add_month('2027-02-01');
-- To take old XML out of the database:     select sri_detach_month('sri_contents', '2027-02-01');
--   then pg_dump --format=custom --table=sri_contents_2027_02 …, check the file, and drop that table.
-- To bring it back: pg_restore that file:  select sri_attach_month('sri_contents', '2027-02-01');
-- While a month is out, its documents stay in lists, figures and counters; one by itself answers 404.

-- An id of a document begins with its time in milliseconds (UUIDv7): the lowest one of a month.
create function sri_first_id(month date) returns uuid language sql stable as $$
  select (lpad(to_hex((extract(epoch from month::timestamp at time zone 'America/Guayaquil') * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid
$$;

create function sri_month_of(parent text, month date) returns text language sql immutable as $$
  select parent || to_char(month, '_YYYY_MM')
$$;

create function sri_partition_by_month(from_month date) returns void language plpgsql as $$
declare parent text;
begin
  foreach parent in array array['sri_contents', 'sri_events', 'sri_responses'] loop
    execute format('alter table %I rename to %I', parent, parent || '_before');
    execute format('create table %I (like %I including all) partition by range (document_id)',
      parent, parent || '_before');
    execute format('alter table %I add foreign key (document_id, issuer_id)
      references sri_documents (id, issuer_id) on delete cascade', parent);
    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
      parent, parent || '_before', sri_first_id(from_month));
    -- A month that was forgotten stops no document. Empty this one before that month is added.
    execute format('create table %I partition of %I default', parent || '_later', parent);
  end loop;
end $$;

create function sri_add_month(month date) returns void language plpgsql as $$
declare parent text;
begin
  foreach parent in array array['sri_contents', 'sri_events', 'sri_responses'] loop
    execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
      sri_month_of(parent, month), parent, sri_first_id(month), sri_first_id((month + interval '1 month')::date));
  end loop;
end $$;

create function sri_detach_month(parent text, month date) returns void language plpgsql as $$
begin
  execute format('alter table %I detach partition %I', parent, sri_month_of(parent, month));
end $$;

create function sri_attach_month(parent text, month date) returns void language plpgsql as $$
begin
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, sri_month_of(parent, month),
    sri_first_id(month), sri_first_id((month + interval '1 month')::date));
end $$;

-- From next month on; a year is made at once.
do $$
declare next_month date := date_trunc('month', now() at time zone 'America/Guayaquil' + interval '1 month');
begin
  perform sri_partition_by_month(next_month);
  for ahead in 0..11 loop
    perform sri_add_month((next_month + make_interval(months => ahead))::date);
  end loop;
end $$;
