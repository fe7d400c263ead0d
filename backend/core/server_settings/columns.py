"""Columns of a server's status that say what it logs and applies, under MariaDB's names, each with its judgement."""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.server_settings.judgements import ChangesPlan, Judgement, Neutral

_PLACE, _SAID = ChangesPlan("backend.core.link_state.channels"), Neutral("A state or a message, shown to people.")
_CARRIED = ChangesPlan("backend.core.steps.channels.change_source")
_FILTER = ChangesPlan("backend.core.checks.settings")
_COUNTER = Neutral("A counter, for people.")
LOG_STATUS: Mapping[str, Judgement] = {
    "File": ChangesPlan("backend.core.dialects.galera"),
    "Position": ChangesPlan("backend.core.dialects.galera"),
    "Binlog_Do_DB": ChangesPlan("backend.core.server_settings.binary_log"),
    "Binlog_Ignore_DB": ChangesPlan("backend.core.server_settings.binary_log"),
    "Executed_Gtid_Set": Neutral("Read as gtid_executed."),
}
"""SHOW MASTER STATUS, in later releases SHOW BINLOG STATUS and SHOW BINARY LOG STATUS."""
CHANNEL_STATUS: Mapping[str, Judgement] = {
    **dict.fromkeys(("Connection_name", "Channel_Name"), ChangesPlan("backend.core.checks.channels")),
    **dict.fromkeys(("Slave_SQL_State", "Slave_IO_State", "Relay_Log_Space", "SQL_Remaining_Delay"), _SAID),
    **dict.fromkeys(("Last_Errno", "Last_Error"), Neutral("The same as Last_SQL_Errno and Last_SQL_Error.")),
    **dict.fromkeys(("Last_IO_Error_Timestamp", "Last_SQL_Error_Timestamp", "Connects_Tried"), _SAID),
    **dict.fromkeys(
        (
            *("Master_Host", "Master_Port", "Master_User", "Master_Log_File", "Read_Master_Log_Pos", "Relay_Log_File"),
            *("Relay_Log_Pos", "Relay_Master_Log_File", "Exec_Master_Log_Pos", "Slave_IO_Running", "Slave_SQL_Running"),
            *("Seconds_Behind_Master", "Last_IO_Errno", "Last_IO_Error", "Last_SQL_Errno", "Last_SQL_Error"),
            *("Slave_SQL_Running_State", "Master_Server_Id", "Using_Gtid", "Auto_Position", "Retrieved_Gtid_Set"),
        ),
        _PLACE,
    ),
    **dict.fromkeys(
        (
            *("Connect_Retry", "Slave_heartbeat_period", "SQL_Delay", "Replicate_Ignore_Server_Ids"),
            *("Replicate_Do_Domain_Ids", "Replicate_Ignore_Domain_Ids", "Master_SSL_Allowed", "Master_SSL_CA_File"),
            *("Master_SSL_CA_Path", "Master_SSL_Cert", "Master_SSL_Cipher", "Master_SSL_Key", "Master_SSL_Crl"),
            *("Master_SSL_Crlpath", "Master_SSL_Verify_Server_Cert", "Master_Retry_Count", "Master_Bind"),
            *("Master_TLS_Version", "Master_public_key_path", "Get_Master_public_key", "Network_Namespace"),
        ),
        _CARRIED,
    ),
    **dict.fromkeys(
        (
            *("Replicate_Do_DB", "Replicate_Ignore_DB", "Replicate_Do_Table", "Replicate_Ignore_Table"),
            *("Replicate_Wild_Do_Table", "Replicate_Wild_Ignore_Table", "Replicate_Rewrite_DB"),
        ),
        _FILTER,
    ),
    "Executed_Gtid_Set": Neutral("Read as gtid_executed."),
    "Skip_Counter": ChangesPlan("backend.core.server_settings.applying"),
    **dict.fromkeys(
        ("Until_Condition", "Until_Log_File", "Until_Log_Pos"),
        Neutral("A channel that ends by itself is shown stopped; every start of the console has no end."),
    ),
    **dict.fromkeys(("Parallel_Mode", "Max_relay_log_size"), Neutral("A setting of the node, not of the stream.")),
    **dict.fromkeys(
        ("Gtid_IO_Pos", "Gtid_Slave_Pos"), Neutral("Read as gtid_slave_pos; what was read only is not applied.")
    ),
    **dict.fromkeys(
        (
            *("Slave_DDL_Groups", "Slave_Non_Transactional_Groups", "Slave_Transactional_Groups"),
            *("Retried_transactions", "Executed_log_entries", "Slave_received_heartbeats", "Master_Slave_time_diff"),
            *("Slave_last_event_time", "Master_last_event_time"),
        ),
        _COUNTER,
    ),
    **dict.fromkeys(("Master_UUID", "Master_Info_File"), Neutral("Who the source says it is; its server_id is read.")),
}
"""SHOW ALL SLAVES STATUS, and SHOW REPLICA STATUS with Source for Master and Replica for Slave."""
